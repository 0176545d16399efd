/** 405 for methods that a path does not support (RFC 9110 section 15.5.6), and OPTIONS for every path. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import findMyWay from 'find-my-way';
import { Problem } from '../problems/problem.ts';
import { ROUTER_OPTIONS } from './fastify-options.ts';

/** Others that a path does not have are 404: Fastify does not know them. */
const METHODS: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'];

interface SupportedMethods {
  readonly allow: string;
  readonly errorHandler: NonNullable<RouteOptions['errorHandler']>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set if the path of the request does not support its method. */
    readonly unsupported?: SupportedMethods;
  }
  interface FastifyRequest {
    /** Set by @fastify/cors for requests that may be a preflight of a listed origin. */
    corsPreflightEnabled?: boolean;
  }
}

/** Finds paths that do not support the method of their request. To be registered before CORS, which reads what they permit. */
export const unsupportedMethods = fp(async (app) => {
  let findPath: ReturnType<typeof createPathFinder> | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '*' } = request.routeConfig;
    // The parameter of another path may have matched the name of one that does not support the method.
    if (/[:*]/.test(url) && METHODS.includes(request.method)) {
      findPath ??= createPathFinder(app);
      const path = findPath(request.url);
      if (path !== undefined && path.url !== url) request.routeConfig = path;
    }
    done();
  });
});

/** Fastify finds routes by their method only, and one route for each other method of each path takes a third of a start. */
function createPathFinder({
  routeTable,
  errorHandler,
}: FastifyInstance): (url: string) => FastifyRequest['routeConfig'] | undefined {
  const router = findMyWay(ROUTER_OPTIONS);
  for (const [url, routes] of Map.groupBy(routeTable, (route) => route.url)) {
    const allow = [...new Set([...routes.flatMap(({ method }) => method), 'OPTIONS'])].sort().join(', ');
    // Paths whose error responses are pages have pages for 405 as well.
    const own = routes.find((route) => route.errorHandler !== undefined)?.errorHandler;
    const allowOrigin = routes.find(({ config }) => config?.allowOrigin !== undefined)?.config?.allowOrigin;
    const unsupported = { allow, errorHandler: own ?? errorHandler };
    router.on('GET', url, () => undefined, { url, unsupported, ...(allowOrigin && { allowOrigin }) });
  }
  return (url) => router.find('GET', url)?.store;
}

/** Rejects requests before their body is read. To be registered after CORS, so that pages can read the 404. */
export const unknownPaths = fp(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    const { url, unsupported } = request.routeConfig;
    if (unsupported !== undefined) describeMethods(unsupported, request, reply).catch(done);
    // The wildcard is the route that @fastify/cors adds for preflights.
    else if (url !== undefined && url !== '*') done();
    else if (isAccepted(request)) reply.code(204).send();
    else done(new Problem('not_found'));
  });
});

/** Responds to OPTIONS (RFC 9110 section 9.3.7) and to preflights of origins that CORS permits, and to others with 405. */
async function describeMethods(
  { allow, errorHandler }: SupportedMethods,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { method, headers, server } = request;
  if (method !== 'OPTIONS') {
    const problem = new Problem('method_not_allowed', { headers: { allow } });
    return errorHandler.call(server, problem, request, reply);
  }
  const isPreflight = headers['access-control-request-method'] !== undefined;
  if (isPreflight && reply.hasHeader('access-control-allow-origin'))
    reply.header('access-control-allow-methods', allow);
  reply.code(204).header('allow', allow).send();
}

/** `OPTIONS *` is about the server in general (RFC 9110 section 9.3.7); a preflight lets the page see the 404. */
function isAccepted({ method, raw, headers, corsPreflightEnabled }: FastifyRequest): boolean {
  if (method !== 'OPTIONS') return false;
  const isPreflight = corsPreflightEnabled === true && headers['access-control-request-method'] !== undefined;
  return isPreflight || raw.url === '*';
}
