/** Content negotiation of JSON responses. */
import type { FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';
import { acceptsJson, preferredType } from '../problems/negotiation.ts';

/** Rejects clients that accept no media type of the operation. Errors: Problem not_acceptable. */
export const jsonResponses = fp(async (app) => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { accept } = request.headers;
    const isAcceptable = acceptsJson(accept) || acceptsOther(accept, request.routeOptions.schema);
    done(isAcceptable ? undefined : new Problem('not_acceptable'));
  });
});

function acceptsOther(accept: string | undefined, schema: FastifySchema | undefined): boolean {
  const responses = (schema?.response ?? {}) as Readonly<Record<number, { content?: object }>>;
  const content = responses[200]?.content;
  if (content === undefined) return false;
  return !('application/json' in content) || preferredType(accept, Object.keys(content)) !== undefined;
}
