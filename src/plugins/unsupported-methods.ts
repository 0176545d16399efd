/** 405 for methods that a path does not support (RFC 9110 section 15.5.6), and OPTIONS for every path. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../problems/problem.ts';

/** Others that a path does not have are 404: Fastify does not know them. */
const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'];

/** Adds the missing methods of each path: to be registered after all routes. */
export const unsupportedMethods = fp(async (app) => {
  for (const [url, routes] of Map.groupBy(app.routeTable, (route) => route.url)) {
    const present = new Set(routes.flatMap(({ method }) => method));
    const allow = [...new Set([...present, 'OPTIONS'])].sort().join(', ');
    const problem = { headers: { allow } };
    app.route({
      url,
      method: METHODS.filter((method) => !present.has(method)),
      exposeHeadRoute: false,
      schema: { hide: true },
      config: { access: 'public', limits: 'none', isFallback: true, ...pickAllowOrigin(routes) },
      ...pickErrorHandler(routes),
      // One route for both, because each takes its time at the start.
      onRequest: (request, reply, done) => {
        if (request.method === 'OPTIONS') describeMethods(allow, request, reply);
        else done(new Problem('method_not_allowed', problem));
      },
      handler: () => undefined,
    });
  }
});

/** Paths whose error responses are pages have pages for 405 as well. */
function pickErrorHandler(routes: readonly RouteOptions[]): Pick<RouteOptions, 'errorHandler'> {
  const errorHandler = routes.find((route) => route.errorHandler !== undefined)?.errorHandler;
  return errorHandler === undefined ? {} : { errorHandler };
}

function pickAllowOrigin(routes: readonly RouteOptions[]): Pick<FastifyContextConfig, 'allowOrigin'> {
  const allowOrigin = routes.find(({ config }) => config?.allowOrigin !== undefined)?.config?.allowOrigin;
  return allowOrigin === undefined ? {} : { allowOrigin };
}

/** Responds to OPTIONS (RFC 9110 section 9.3.7), and to preflights of origins that CORS permits. */
function describeMethods(allow: string, { headers }: FastifyRequest, reply: FastifyReply): void {
  const isPreflight = headers['access-control-request-method'] !== undefined;
  if (isPreflight && reply.hasHeader('access-control-allow-origin'))
    reply.header('access-control-allow-methods', allow);
  reply.code(204).header('allow', allow).send();
}

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
