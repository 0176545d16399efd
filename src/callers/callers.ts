/** Callers of the service: the sender of a request, with the permissions of its credential, and which of them a route accepts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AdminScope, RecentSignIn, RequiredAdminScope, Role } from './admin-scopes.ts';

/** Every scope of users' tokens; docs/security.md lists what each permits. */
export const SCOPES = ['self:read', 'self:write', 'tokens:manage'] as const;
export type Scope = (typeof SCOPES)[number];

interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** What an administrator may do: a person with a role, or a program with a credential. Times in epoch milliseconds. */
export interface AdminCredential {
  /** Null for ADMIN_TOKEN, which is not stored; of a person, that of the user. */
  readonly id: string | null;
  readonly name: string;
  /** Of a person only. */
  readonly role?: Role;
  readonly scopes: readonly AdminScope[];
  /** SHA-256 of the secret in hex; null for ADMIN_TOKEN. */
  readonly secretHash: string | null;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** As stored when the request was received. */
  readonly lastUsedAt: number | null;
}

/** The first owner, whose credential is a setting. */
export const FIRST_OWNER: AdminCredential = {
  id: null,
  name: 'ADMIN_TOKEN',
  scopes: ['admin'],
  secretHash: null,
  expiresAt: null,
  lastUsedAt: null,
};

/** Returns the valid named credential with this SHA-256, if it may be used from this address. */
export type FindCredential = (secretHash: string, clientIp: string) => Promise<AdminCredential | undefined>;

/** A session of the administration console. Times in epoch milliseconds. */
export interface ConsoleSession {
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Time without a request after which it ends. */
  readonly idleMs: number;
  /** Whether its person has signed in recently (`RECENT_SIGN_IN_MINUTES`). */
  readonly isFresh: boolean;
  /** Who has signed in: a person with a role, or ADMIN_TOKEN. */
  readonly credential: AdminCredential;
}

/**
 * Returns the live session of a browser, and extends its idle time unless it is not used. @throws Problem role_required,
 * role_second_factor_required
 */
export type FindConsoleSession = (
  headers: IncomingHttpHeaders,
  options?: { readonly isUse: boolean },
) => Promise<ConsoleSession | undefined>;

export interface AdminCaller {
  readonly kind: 'admin';
  readonly credential: AdminCredential;
  /** Set on requests of the console. */
  readonly session?: ConsoleSession;
}

export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly tokenId: string;
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly tokenExpiresAt: number;
  /** Epoch milliseconds, as stored when the request was received. */
  readonly tokenLastUsedAt: number | null;
  /** The user's record, which is read together with the token. Typed by the features. */
  readonly record: object;
}

export type Caller = AnonymousCaller | UserCaller | AdminCaller;

export const ANONYMOUS: AnonymousCaller = { kind: 'anonymous' };

/** Returns the caller of a route whose access is `user`. */
export function getUserCaller({ caller }: { readonly caller: Caller }): UserCaller {
  if (caller.kind !== 'user') throw new Error('The route is open to other callers than users');
  return caller;
}

/** Returns the caller of a route whose access is `admin`. */
export function getAdminCaller({ caller }: { readonly caller: Caller }): AdminCaller {
  if (caller.kind !== 'admin') throw new Error('The route is open to other callers than administrators');
  return caller;
}

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

export interface AdminCredentials {
  readonly accepted: () => readonly string[];
  /** Looks for a credential that was added since. Returns whether there is one, which is accepted from now on. */
  readonly refresh: () => boolean;
}

/** Returns credentials that do not change. */
export function createFixedCredentials(credentials: readonly string[]): AdminCredentials {
  return { accepted: () => credentials, refresh: () => false };
}

/** Creates a check of the accepted credentials by a derived value, and of a new one if `mayBeNew`. */
export function createCredentialCheck<T>(
  { accepted, refresh }: AdminCredentials,
  derive: (credential: string) => T,
): (matches: (derived: T) => boolean, mayBeNew: boolean) => boolean {
  const derived = new Map<string, T>();
  const deriveOnce = (credential: string) => derived.getOrInsertComputed(credential, derive);
  return (matches, mayBeNew) => {
    // All are compared, so that the time does not reveal which one matched.
    const isAccepted = () =>
      accepted()
        .map((one) => matches(deriveOnce(one)))
        .includes(true);
    return isAccepted() || (mayBeNew && refresh() && isAccepted());
  };
}
