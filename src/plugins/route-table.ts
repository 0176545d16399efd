/** The table of all routes with their access, which is the security policy of the service. */
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  RouteOptions,
} from 'fastify';
import fp from 'fastify-plugin';
import { ADMIN_SCOPES, type RecentSignIn, type RequiredAdminScope } from '../callers/admin-scopes.ts';
import { type Access, type AccessRule, type Caller, getAdminScope, type Scope } from '../callers/callers.ts';
import { toPathTemplate } from '../lib/routes/routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly routeTable: RouteOptions[];
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
    routes.push(route);
  });
});

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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has to state it. */
    readonly access?: Access;
    /** The scope that the credential needs: with access `admin` that of an administrator, otherwise a user's token. */
    readonly scope?: Scope | RequiredAdminScope;
    /** Every route with access `optional` has to state it: the scope that an administrator's credential needs. */
    readonly adminScope?: RequiredAdminScope;
    /** For what gives access, sends data out or destroys: docs/security.md has the rule. */
    readonly recentSignIn?: RecentSignIn;
    /** Whether the operator has opened the route to this caller; 403 if not. */
    readonly isOpenTo?: (caller: Caller) => boolean;
  }
}

/** Returns the rule of the route that a request was matched to. */
export function getAccessRule({ routeConfig }: FastifyRequest): AccessRule {
  // Checked when the route was added.
  return routeConfig as AccessRule;
}

/** Returns the missing part of the rule of a new route; undefined if it is complete. */
function findMissingRule(rule: Partial<AccessRule> | undefined): string | undefined {
  if (rule?.access === undefined) return 'its access';
  if (rule.access !== 'admin' && rule.access !== 'optional') return undefined;
  const scope = getAdminScope({ ...rule, access: rule.access });
  const isKnown = scope === 'any' || (scope !== undefined && Object.hasOwn(ADMIN_SCOPES, scope));
  return isKnown ? undefined : "the scope that an administrator's credential needs";
}
