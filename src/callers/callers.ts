/** Callers of the service: who sends a request, and what the credential of the request permits. */

/** Every scope of tokens; docs/security.md lists what each permits. */
export const SCOPES = ['self:read', 'self:write', 'tokens:manage'] as const;
export type Scope = (typeof SCOPES)[number];

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** A session of the administration console. Times in epoch milliseconds. */
export interface ConsoleSession {
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Returns the live session with this token, and extends its idle time unless it is not used. */
export type FindConsoleSession = (
  token: string,
  options?: { readonly isUse: boolean },
) => Promise<ConsoleSession | undefined>;

export interface AdminCaller {
  readonly kind: 'admin';
  /** Set on requests of the console. */
  readonly session?: ConsoleSession;
}

export interface UserCaller {
  readonly kind: 'user';
  readonly userId: string;
  readonly tokenId: string;
  readonly tokenHash: string;
  readonly scopes: readonly string[];
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
