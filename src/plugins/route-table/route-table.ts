/** The table of all routes with their access, which is the security policy of the service. */
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { toPathTemplate } from '../../lib/routes/path-template.ts';
import { findMissingRule } from './route-access.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The routes of the features, without those that respond with 405 or to OPTIONS. */
    readonly routeTable: RouteOptions[];
  }
  interface FastifyContextConfig {
    /** Set on routes that are there for 405 and OPTIONS only. */
    readonly isFallback?: true;
  }
}

/** Collects the routes, and rejects one that does not state who may call it, so that none is open by mistake. */
export const routeTable = fp(async (app: FastifyInstance) => {
  const routes: RouteOptions[] = [];
  app.decorate('routeTable', routes);
  app.addHook('onRoute', (route) => {
    const { method, url, config } = route;
    const missing = findMissingRule(config);
    if (missing !== undefined) throw new Error(`${method} ${url} does not state ${missing}`);
    if (!config?.isFallback) routes.push(route);
  });
});

/** An entry of the table as it is shown. */
export interface RouteEntry {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly config: FastifyContextConfig;
  readonly schema: FastifySchema;
}

/** Returns the routes in the order in which they were added, without HEAD, which every GET has. */
export function listRoutes({ routeTable: routes }: FastifyInstance): RouteEntry[] {
  return routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url, config = {}, schema = {} }) => ({
      method: String(method),
      path: toPathTemplate(url),
      config,
      schema,
    }));
}
