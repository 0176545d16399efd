/** Routes that honour Idempotency-Key: the adapter between Fastify and the claims of requests. */
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import {
  createIdempotency,
  createIdempotentSteps,
  type IdempotencyOptions,
  type PrepareStep,
} from '../../idempotency/idempotency.ts';
import type { CreatedResponse, PreparedEffect } from '../../idempotency/stored-response.ts';
import { getBasePath, type SerializedResponse, toPathTemplate } from '../../lib/routes/routes.ts';
import type { Problem } from '../../problems/problem.ts';
import { JSON_TYPE } from '../problems/negotiation.ts';
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
     * Writes the effect of the request in one transaction with the response, which is sent, or that of an
     * earlier request with the same key.
     */
    sendOnce(prepare: () => Promise<PreparedEffect>): Promise<FastifyReply>;
    /**
     * Runs each step in one transaction with its result, unless an earlier request with the key has, and sends
     * the results of all.
     */
    sendOnceInSteps<Result>(
      steps: readonly PrepareStep<Result>[],
      toBody: (results: readonly Result[]) => Promise<object>,
    ): Promise<FastifyReply>;
  }
}

export const idempotentRoutes = fp<IdempotencyOptions>(async (app, options) => {
  const runIdempotently = createIdempotency(options);
  app.decorateRequest('parsedBody', undefined);
  const keepBody: preValidationHookHandler = (request, _reply, done) => {
    request.parsedBody = request.body;
    done();
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.idempotent) route.preValidation = [keepBody, ...[route.preValidation ?? []].flat()];
  });
  const runInSteps = createIdempotentSteps(options);
  const toProblemSerializer = (request: FastifyRequest) => (problem: Problem) =>
    serializeProblem(problem, options.publicUrl, request);
  const basePath = getBasePath(options.publicUrl);
  app.decorateReply('sendOnce', async function (prepare) {
    const { status, headers, body } = await runIdempotently({
      ...toClaimedRequest(this.request),
      serialize: (response) => serialize(this, response),
      serializeProblem: toProblemSerializer(this.request),
      prepare,
    });
    this.code(status).headers(headers);
    if (headers.location !== undefined) this.header('location', basePath + headers.location);
    // As bytes, because Fastify would add a charset to a text.
    return this.send(Buffer.from(body));
  });
  app.decorateReply('sendOnceInSteps', async function (steps, toBody) {
    const { results, isReplayed } = await runInSteps({
      ...toClaimedRequest(this.request),
      serializeProblem: toProblemSerializer(this.request),
      steps,
    });
    return this.headers(isReplayed ? { 'idempotent-replayed': 'true' } : {}).send(await toBody(results));
  });
});

function toClaimedRequest({ caller, clientIp, params, parsedBody, raw, routeOptions }: FastifyRequest) {
  return {
    route: `${routeOptions.method} ${toPathTemplate(routeOptions.url!)}`,
    caller,
    clientIp,
    params,
    keys: raw.headersDistinct['idempotency-key'],
    rawBody: parsedBody ?? {},
  };
}

/** Returns the bytes that are sent and stored. The schema of the status is an allow-list. */
function serialize(reply: FastifyReply, { status, headers, body }: CreatedResponse): SerializedResponse {
  const text = reply.code(status).serialize(body) as string;
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: text };
}
