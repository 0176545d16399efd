/** Scopes of new tokens. */
import { SCOPES, type UserCaller } from '../../../callers/callers.ts';
import { insufficientScope } from '../../../problems/challenges.ts';

/** The scopes of tokens from registration and login, separated by spaces (RFC 6749 section 3.3). */
export const ALL_SCOPES = SCOPES.join(' ');

/** A token does nothing, and creates no token, that its scopes do not permit. @throws Problem insufficient_scope */
export function checkGranted({ scopes }: UserCaller, requested: readonly string[]): void {
  const missing = requested.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) throw insufficientScope(missing);
}

/** Returns the scopes as they are stored: each once, in their documented order. */
export function toStoredScopes(scopes: readonly string[]): string {
  return SCOPES.filter((scope) => scopes.includes(scope)).join(' ');
}

/** Returns stored scopes as a list, which may be empty. */
export const readScopes = (stored: string): string[] => stored.split(' ').filter((scope) => scope !== '');
