/** Which callers a route accepts. */
import type { Scope } from './callers.ts';

/**
 * public: credentials are ignored. optional: anonymous, a user or the administrator; a wrong credential is
 * rejected. user: a user's token. admin: the administrator's credential.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin';

export interface AccessRule {
  readonly access: Access;
  /** The scope that the user's token needs. */
  readonly scope?: Scope | undefined;
}
