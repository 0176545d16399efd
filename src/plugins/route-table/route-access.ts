/** Access of a route: stated by each route in its `config`, without a default. */
import type { FastifyRequest } from 'fastify';
import type { Access, AccessRule } from '../../callers/access-rule.ts';
import type { Caller, Scope } from '../../callers/callers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has to state it. */
    readonly access?: Access;
    /** The scope that the user's token needs. */
    readonly scope?: Scope;
    /** Whether the operator has opened the route to this caller; 403 if not. */
    readonly isOpenTo?: (caller: Caller) => boolean;
  }
}

/** Returns the rule of the route that a request was matched to. */
export function getAccessRule({ routeOptions }: FastifyRequest): AccessRule {
  // Checked when the route was added.
  return routeOptions.config as AccessRule;
}
