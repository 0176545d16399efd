/** Sends 100 Continue to clients that wait for it before they send their body (RFC 9110 section 10.1.1). */
import type { ServerResponse } from 'node:http';
import fp from 'fastify-plugin';
import { closeAfterResponse } from './request-context.ts';

/** Sends 100 Continue before the body is parsed, when no hook has rejected the request. */
export const expectations = fp<{ readonly awaitingContinue: WeakSet<ServerResponse> }>(
  async (app, { awaitingContinue }) => {
    // biome-ignore lint/complexity/useMaxParams: the signature of Fastify's hook
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (awaitingContinue.has(reply.raw)) {
        // Fastify does not read the body of a GET.
        if (request.method === 'GET') closeAfterResponse(request, reply);
        else {
          awaitingContinue.delete(reply.raw);
          reply.raw.writeContinue();
        }
      }
      done(null, payload);
    });
  },
);
