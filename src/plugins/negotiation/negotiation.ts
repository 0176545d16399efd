/** Content negotiation of JSON responses. */
import type { FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';
import { acceptsJson } from '../problems/negotiation.ts';

/** Rejects clients that do not accept JSON, except on routes with another media type. Errors: Problem not_acceptable. */
export const jsonResponses = fp(async (app) => {
  app.addHook('onRequest', ({ headers, routeOptions }, _reply, done) => {
    const isAcceptable = acceptsJson(headers.accept) || hasOtherMediaType(routeOptions.schema);
    done(isAcceptable ? undefined : new Problem('not_acceptable'));
  });
});

function hasOtherMediaType(schema: FastifySchema | undefined): boolean {
  const responses = (schema?.response ?? {}) as Readonly<Record<number, { content?: object }>>;
  return responses[200]?.content !== undefined;
}
