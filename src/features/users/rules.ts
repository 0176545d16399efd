/** What is valid for a user record: pure decisions. */
import { validationFailed } from '../../http/request/validation.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { isStorable } from '../../lib/text.ts';
import { Problem } from '../../problems.ts';
import { USER_STATES, type UserFilter, type UserRow, type UserState } from './queries.ts';
import { userETag } from './user-view.ts';

export interface UserChanges {
  readonly name?: string;
  readonly email?: string;
  readonly level?: string | null;
  readonly state?: 'active' | 'disabled';
  readonly version?: number;
}

/** RFC 9110 section 13.1.1: `ifMatch` names the record as it is, or any. @throws Problem precondition_failed */
export function checkIfMatch(user: UserRow, ifMatch: string): void {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (ifMatch.trim() !== '*' && !tags.includes(userETag(user))) throw new Problem('precondition_failed');
}

/**
 * Only a record that the caller has seen may be changed.
 * @throws Problem precondition_required (RFC 6585 section 3), precondition_failed, version_conflict
 */
export function checkPrecondition(user: UserRow, ifMatch: string | undefined, version?: number): void {
  if (ifMatch === undefined) throw new Problem('precondition_required');
  checkIfMatch(user, ifMatch);
  if (version !== undefined && version !== user.version) throw new Problem('version_conflict');
}

/**
 * The record after the changes.
 * @throws Problem validation_failed when the state cannot follow the present one
 */
export function applyChanges(user: UserRow, changes: UserChanges): UserRow {
  const { name = user.name, email = user.email, level = user.level, state = user.state } = changes;
  if (state !== user.state && user.state === 'unclaimed') {
    // Without a password there is nothing that could be active, or that disabling would take away.
    throw validationFailed({ state: ['The selected state is invalid.'] });
  }
  const sameAddress = normalizeOptionalEmail(email) === normalizeOptionalEmail(user.email);
  return {
    ...user,
    name,
    email,
    level,
    state,
    email_verified_at: sameAddress ? user.email_verified_at : null,
  };
}

export function isUnchanged(before: UserRow, after: UserRow): boolean {
  const { name, email, level, state } = before;
  return name === after.name && email === after.email && level === after.level && state === after.state;
}

export function normalizeOptionalEmail(email: string | null): string | null {
  return email === null ? null : normalizeEmail(email);
}

/** Reads `email` (the exact address) and `state`. @throws Problem invalid_filter */
export function readFilter(query: Readonly<Record<string, string | string[] | undefined>>): UserFilter {
  const { email, state } = query;
  if (Array.isArray(email)) throw new Problem('invalid_filter', { text: 'email must be given once' });
  if (state !== undefined && !isState(state)) {
    throw new Problem('invalid_filter', { text: `state must be one of ${USER_STATES.join(', ')}` });
  }
  if (email !== undefined && !isStorable(email)) {
    throw new Problem('invalid_filter', { text: 'email is not an address' });
  }
  return { emailKey: normalizeOptionalEmail(email ?? null), state: state ?? null };
}

function isState(text: unknown): text is UserState {
  return (USER_STATES as readonly unknown[]).includes(text);
}
