/** Responses whose body is a stream. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import { DatabaseUnavailable } from '../database/database.ts';
import { MINUTE } from '../lib/time.ts';
import { Problem } from '../problems/problem.ts';
import type { LogRequest } from './request-log.ts';

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Sends a stream. If it fails, the connection is reset, so that the client notices that the body is incomplete; also if
     * its credential or session is not accepted any more, unless `end` ends it then.
     */
    sendStream(body: Readable, end?: (problem: Problem) => void): FastifyReply;
  }
}

interface StreamOptions {
  readonly logger: Logger;
  /** Called when the response was not sent completely. */
  readonly log: LogRequest;
  /** Milliseconds between two authentications. */
  readonly streamCheckMs?: number | undefined;
}

export const streamResponses = fp<StreamOptions>(async (app, options) => {
  const { streamCheckMs = MINUTE } = options;
  app.decorateReply('sendStream', function (body, end = (problem) => body.destroy(problem)) {
    const check = () =>
      this.request.authenticateAgain().catch((error) => {
        if (error instanceof DatabaseUnavailable) return;
        if (error instanceof Problem) end(error);
        else body.destroy(error);
      });
    const timer = setInterval(check, streamCheckMs).unref();
    body.once('close', () => clearInterval(timer));
    return sendStream(this, body, options);
  });
});

function sendStream(reply: FastifyReply, body: Readable, { logger, log }: StreamOptions): FastifyReply {
  const { raw, request } = reply;
  if (request.method === 'HEAD') {
    // Fastify would read all of the stream to discard it.
    body.destroy();
    return reply.send(Readable.from([]));
  }
  body.once('error', (error) => {
    logger.error({ request_id: request.id, err: error }, 'the body of a response failed');
    // A client of HTTP/1.0, as proxies are by default, takes any other end of the connection for that of the body.
    if (raw.headersSent) raw.socket?.resetAndDestroy();
  });
  raw.once('close', () => {
    if (!raw.writableFinished) log(request, reply);
  });
  return reply.send(body);
}
