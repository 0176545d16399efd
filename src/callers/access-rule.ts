/** Which callers a route accepts. */
import type { RequiredAdminScope } from './admin-scopes.ts';
import type { Scope } from './callers.ts';
import type { RecentSignIn } from './recent-sign-in.ts';

/**
 * public: credentials are ignored. optional: anonymous, a user or an administrator; a wrong credential is
 * rejected. user: a user's token. admin: an administrator's credential.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin';

export interface AccessRule {
  readonly access: Access;
  /** The scope that the credential needs: with access `admin` that of an administrator, otherwise a user's token. */
  readonly scope?: Scope | RequiredAdminScope | undefined;
  /** For what gives access, sends data out or destroys. */
  readonly recentSignIn?: RecentSignIn | undefined;
  /** With access `optional`: the scope that an administrator's credential needs. */
  readonly adminScope?: RequiredAdminScope | undefined;
}

/** Returns the scope that a user's token needs; undefined if any token is accepted, or none. */
export function getUserScope({ access, scope }: AccessRule): string | undefined {
  return access === 'admin' ? undefined : scope;
}

/** Returns the scope that an administrator's credential needs; undefined if the rule does not state it. */
export function getAdminScope({ access, scope, adminScope }: AccessRule): RequiredAdminScope | undefined {
  // Checked when the route was added.
  return access === 'admin' ? (scope as RequiredAdminScope | undefined) : adminScope;
}
