/** Access of a route: stated by each route in its `config`, without a default. */
import type { FastifyRequest } from 'fastify';
import { type Access, type AccessRule, getAdminScope } from '../../callers/access-rule.ts';
import { ADMIN_SCOPES, type RequiredAdminScope } from '../../callers/admin-scopes.ts';
import type { Caller, Scope } from '../../callers/callers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has to state it. */
    readonly access?: Access;
    /** The scope that the credential needs: with access `admin` that of an administrator, otherwise a user's token. */
    readonly scope?: Scope | RequiredAdminScope;
    /** Every route with access `optional` has to state it: the scope that an administrator's credential needs. */
    readonly adminScope?: RequiredAdminScope;
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
export function findMissingRule(rule: Partial<AccessRule> | undefined): string | undefined {
  if (rule?.access === undefined) return 'its access';
  if (rule.access !== 'admin' && rule.access !== 'optional') return undefined;
  const scope = getAdminScope({ ...rule, access: rule.access });
  const isKnown = scope === 'any' || (scope !== undefined && Object.hasOwn(ADMIN_SCOPES, scope));
  return isKnown ? undefined : "the scope that an administrator's credential needs";
}
