/** Rules of user records: pure functions. */

import type { Query } from '../../lib/routes/query.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { normalizeEmail } from '../../lib/text/email-address.ts';
import { normalizeName } from '../../lib/text/names.ts';
import { codePointLength, isStorable } from '../../lib/text/text.ts';
import { Problem } from '../../problems/problem.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import { USER_ORDERS, type UserFilter, type UserOrder, type UserRow } from './queries.ts';
import { USER_STATES, type UserState } from './user-states.ts';

export interface UserChanges {
  readonly name?: string;
  readonly email?: string;
  readonly level?: string | null;
  readonly state?: 'active' | 'disabled';
  readonly version?: number;
}

/** Whether a change may be based on this version of a record. */
export type VersionCheck = (version: number) => boolean;

/**
 * Requires that the caller has seen the current version.
 * @throws Problem precondition_required, precondition_failed, version_conflict
 */
export function checkVersion(
  user: Pick<UserRow, 'version'>,
  isExpected: VersionCheck | undefined,
  expectedVersion?: number,
): void {
  if (isExpected === undefined) throw new Problem('precondition_required');
  if (!isExpected(user.version)) throw new Problem('precondition_failed');
  if (expectedVersion !== undefined && expectedVersion !== user.version) {
    throw new Problem('version_conflict');
  }
}

/**
 * Returns the record after the changes.
 * @throws Problem validation_failed when the record cannot have that state
 */
export function applyChanges(user: UserRow, changes: UserChanges): UserRow {
  const { name = user.name, email = user.email, level = user.level, state = user.state } = changes;
  if (state !== user.state && user.state === 'unclaimed') {
    // A record without a password has no account to activate or to disable.
    throw validationFailed({ state: ['The selected state is invalid.'] });
  }
  return {
    ...user,
    name,
    email,
    level,
    state,
    email_verified_at: hasEmail(user, email) ? user.email_verified_at : null,
  };
}

export function isUnchanged(before: UserRow, after: UserRow): boolean {
  const { name, email, level, state } = before;
  return name === after.name && email === after.email && level === after.level && state === after.state;
}

/** Whether the user has this address, in any case of its letters; null for none. */
export function hasEmail(user: UserRow, email: string | null): boolean {
  return normalizeOptionalEmail(user.email) === normalizeOptionalEmail(email);
}

export function normalizeOptionalEmail(email: string | null): string | null {
  return email === null ? null : normalizeEmail(email);
}

export type ListQuery = Query;

/** Reads `email` (a whole address), `search` (the start of an email or a name) and `state`. @throws Problem invalid_filter */
export function readFilter(query: ListQuery): UserFilter {
  const { email, search, state } = query;
  if (Array.isArray(email)) throw new Problem('invalid_filter', { text: 'email must be given once' });
  if (state !== undefined && !isState(state)) {
    throw new Problem('invalid_filter', { text: `state must be one of ${USER_STATES.join(', ')}` });
  }
  if (email !== undefined && !isStorable(email)) {
    throw new Problem('invalid_filter', { text: 'email is not an address' });
  }
  if (email !== undefined && search !== undefined) {
    throw new Problem('invalid_filter', { text: 'email and search cannot be combined' });
  }
  return {
    emailKey: normalizeOptionalEmail(email ?? null),
    search: search === undefined ? null : readSearch(search),
    state: state ?? null,
  };
}

/** Reads `order`, which a search does not have: its order is that of the text that matches. @throws Problem invalid_filter */
export function readOrder({ order, search }: ListQuery): UserOrder {
  if (order === undefined) return 'created_at';
  const known = USER_ORDERS.find((each) => each === order);
  if (known === undefined)
    throw new Problem('invalid_filter', { text: `order must be one of ${USER_ORDERS.join(', ')}` });
  if (search !== undefined)
    throw new Problem('invalid_filter', { text: 'order and search cannot be combined' });
  return known;
}

const MAX_SEARCH_LENGTH = 255;

function readSearch(search: string | string[]): string {
  if (Array.isArray(search)) throw new Problem('invalid_filter', { text: 'search must be given once' });
  const isValid = isStorable(search) && search.trim() !== '' && codePointLength(search) <= MAX_SEARCH_LENGTH;
  if (!isValid) {
    throw new Problem('invalid_filter', {
      text: `search must have 1 to ${MAX_SEARCH_LENGTH} characters, not only white space`,
    });
  }
  return normalizeName(search);
}

function isState(text: unknown): text is UserState {
  return (USER_STATES as readonly unknown[]).includes(text);
}

/** @throws Problem user_not_found for a text that cannot be an id, which saves a query */
export function parseUserId(id: string): string {
  if (!isId(id)) throw new Problem('user_not_found');
  return id;
}
