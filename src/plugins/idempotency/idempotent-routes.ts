/** Routes that honour Idempotency-Key: the adapter between Fastify and the claims of requests. */
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { CreatedResponse, PreparedEffect } from '../../idempotency/created-response.ts';
import { createIdempotency, type IdempotencyOptions } from '../../idempotency/idempotency.ts';
import { toPathTemplate } from '../../lib/routes/path-template.ts';
import type { SerializedResponse } from '../../lib/routes/serialized-response.ts';
import { JSON_TYPE } from '../problems/media-types.ts';
import { serializeProblem } from '../problems/problem-response.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Honours Idempotency-Key: the handler returns `reply.sendOnce(…)`. */
    readonly idempotent?: boolean;
  }
  interface FastifyRequest {
    /** The body of a request to an idempotent route before validation, with all of its members. */
    parsedBody: unknown;
  }
  interface FastifyReply {
    /**
     * Prepares the effect of the request, writes it in one transaction together with the response, and sends the
     * response; or sends the response of an earlier request with the same key.
     */
    sendOnce(prepare: () => Promise<PreparedEffect>): Promise<FastifyReply>;
  }
}

export const idempotentRoutes = fp<IdempotencyOptions>(async (app, options) => {
  const runIdempotently = createIdempotency(options);
  app.decorateRequest('parsedBody', undefined);
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.idempotent) request.parsedBody = request.body;
    done();
  });
  app.decorateReply('sendOnce', async function (prepare) {
    const { caller, clientIp, params, parsedBody, raw, routeOptions } = this.request;
    const { status, headers, body } = await runIdempotently({
      route: `${routeOptions.method} ${toPathTemplate(routeOptions.url!)}`,
      caller,
      clientIp,
      params,
      keys: raw.headersDistinct['idempotency-key'],
      rawBody: parsedBody ?? {},
      serialize: (response) => serialize(this, response),
      serializeProblem: (problem) => serializeProblem(problem, options.publicUrl, this.request),
      prepare,
    });
    // As bytes, because Fastify would add a charset to a text.
    return this.code(status).headers(headers).send(Buffer.from(body));
  });
});

/** Returns the bytes that are sent and stored. The schema of the status is an allow-list. */
function serialize(reply: FastifyReply, { status, headers, body }: CreatedResponse): SerializedResponse {
  const text = reply.code(status).serialize(body) as string;
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: text };
}
