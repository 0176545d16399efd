/** 404 for paths that do not exist. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by @fastify/cors for requests that may be a preflight of a listed origin. */
    corsPreflightEnabled?: boolean;
  }
}

/** Rejects requests before their body is read. To be registered after CORS, so that pages can read the 404. */
export const unknownPaths = fp(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnknown(request)) done();
    else if (isAccepted(request)) reply.code(204).send();
    else done(new Problem('not_found'));
  });
});

/** The wildcard is the route that @fastify/cors adds for preflights. */
function isUnknown(request: FastifyRequest): boolean {
  return request.is404 || (request.method === 'OPTIONS' && request.routeOptions.url === '*');
}

/** `OPTIONS *` is about the server in general (RFC 9110 section 9.3.7); a preflight lets the page see the 404. */
function isAccepted({ method, raw, headers, corsPreflightEnabled }: FastifyRequest): boolean {
  if (method !== 'OPTIONS') return false;
  const isPreflight = corsPreflightEnabled === true && headers['access-control-request-method'] !== undefined;
  return isPreflight || raw.url === '*';
}
