/** Searches users by the start of their email or of their name. */
import type { Reader } from '../../../database/database.ts';
import { compareBytes, endOfPrefix } from '../../../lib/text/prefix-range.ts';
import type { UserRow } from '../queries.ts';
import type { UserState } from '../user-states.ts';
import { type SearchedUser, usersByEmail, usersByName } from './queries.ts';

/** Position of a user in the result: the first matching key. */
export interface Position {
  readonly key: string;
  readonly id: string;
}

export interface UserSearch {
  /** Normalized by `normalizeName`. */
  readonly prefix: string;
  readonly state: UserState | null;
  /** Null for the first page. */
  readonly after: Position | null;
  readonly limit: number;
}

export interface FoundUsers {
  readonly users: readonly UserRow[];
  /** Null on the last page. */
  readonly next: Position | null;
}

/** A row of one of the two indexes. */
interface Match {
  readonly position: Position;
  readonly user: SearchedUser;
  /** The other key of the user. */
  readonly otherKey: string | null;
}

/** Rows that are read at once, after those of the first attempt. */
const BATCH = 500;
/**
 * Rows of both indexes that one page reads at most. A page has fewer users than the limit, and a cursor, if more of
 * them are in another state or were found by their other key before.
 */
const MAX_READ = 2_000;

/** Returns a page of users, ordered by matching key and id. */
export async function searchUsers(reader: Reader, search: UserSearch): Promise<FoundUsers> {
  const { prefix, limit } = search;
  const found: Match[] = [];
  let after = search.after ?? { key: prefix, id: '' };
  let read = 0;
  for (;;) {
    const size = read === 0 ? limit + 1 : BATCH;
    const { matches, isLast } = await readMatches(reader, { prefix, after, size });
    found.push(...matches.filter((match) => isShown(match, search)));
    const users = found.slice(0, limit).map(({ user }) => user);
    if (found.length > limit) return { users, next: found[limit - 1]!.position };
    if (isLast) return { users, next: null };
    after = matches.at(-1)!.position;
    read += matches.length;
    if (read >= MAX_READ) return { users, next: after };
  }
}

interface Batch {
  readonly prefix: string;
  readonly after: Position;
  readonly size: number;
}

/** Merges the next rows of both indexes: each is complete up to the last one of the result. */
async function readMatches(
  reader: Reader,
  { prefix, after, size }: Batch,
): Promise<{ matches: Match[]; isLast: boolean }> {
  const range = { after, end: endOfPrefix(prefix), limit: size };
  const byEmail = await usersByEmail(reader, range);
  const byName = await usersByName(reader, range);
  const matches = [
    ...byEmail.map((user) => toMatch(user, user.email_key!, user.name_key)),
    // One position for two equal keys.
    ...byName
      .filter((user) => user.name_key !== user.email_key)
      .map((user) => toMatch(user, user.name_key!, user.email_key)),
  ].sort((one, other) => compare(one.position, other.position));
  const isLast = byEmail.length < size && byName.length < size;
  return { matches: isLast ? matches : matches.slice(0, size), isLast };
}

function toMatch(user: SearchedUser, key: string, otherKey: string | null): Match {
  return { position: { key, id: user.id }, user, otherKey };
}

function compare(one: Position, other: Position): number {
  return compareBytes(one.key, other.key) || compareBytes(one.id, other.id);
}

/** Whether the user is in the result at this position: not at that of their other key, if it matches before. */
function isShown({ position, user, otherKey }: Match, { prefix, state }: UserSearch): boolean {
  if (state !== null && user.state !== state) return false;
  if (otherKey === null || !otherKey.startsWith(prefix)) return true;
  return compareBytes(position.key, otherKey) <= 0;
}
