/** Responses whose body is a stream. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../lib/log.ts';

export interface StreamOptions {
  readonly logger: Log;
  /** Called when the response was not sent completely. */
  readonly onCutOff: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Sends a stream. If it fails, the connection is reset, so that the client notices that the body is incomplete. */
export function sendStream(
  reply: FastifyReply,
  body: Readable,
  { logger, onCutOff }: StreamOptions,
): FastifyReply {
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
    if (!raw.writableFinished) onCutOff(request, reply);
  });
  return reply.send(body);
}
