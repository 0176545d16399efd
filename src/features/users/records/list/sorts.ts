/** Orders of the list of users, and positions in them. Users without the value are last in both directions. */
import type { ListedUser } from './listed-user.ts';

/** Parameter values: with `-`, the newest or last first. */
export const USER_SORTS = [
  'created_at',
  '-created_at',
  'last_login_at',
  '-last_login_at',
  'name',
  '-name',
  'email',
  '-email',
] as const;

export type UserSort = (typeof USER_SORTS)[number];

export type SortColumn = 'created_at' | 'last_login_at' | 'name_key' | 'email_key';

const COLUMNS: Readonly<Record<string, SortColumn>> = {
  created_at: 'created_at',
  last_login_at: 'last_login_at',
  name: 'name_key',
  email: 'email_key',
};

/** Returns the column that is sorted, and whether its order is descending. */
export function getSortColumn(sort: UserSort): {
  readonly column: SortColumn;
  readonly isDescending: boolean;
} {
  const isDescending = sort.startsWith('-');
  return { column: COLUMNS[isDescending ? sort.slice(1) : sort]!, isDescending };
}

/** Value of the sorted column and id of a user. */
export interface Position {
  readonly key: string | number | null;
  readonly id: string;
}

export function getPosition(user: ListedUser, sort: UserSort): Position {
  return { key: user[getSortColumn(sort).column], id: user.id };
}

/** Returns the users in the order of `sort`. */
export function sortUsers(users: readonly ListedUser[], sort: UserSort): ListedUser[] {
  const { isDescending } = getSortColumn(sort);
  const direction = isDescending ? -1 : 1;
  // Encoded once, because a comparison of UTF-16 has another order than that of the engines.
  const entries = users.map((user) => ({ user, key: encodeKey(getPosition(user, sort).key) }));
  entries.sort((one, other) => {
    if (one.key === null || other.key === null) {
      if (one.key !== other.key) return one.key === null ? 1 : -1;
    } else {
      const order = compareKeys(one.key, other.key);
      if (order !== 0) return direction * order;
    }
    return direction * (one.user.id < other.user.id ? -1 : 1);
  });
  return entries.map(({ user }) => user);
}

type EncodedKey = Uint8Array | number;

function encodeKey(key: string | number | null): EncodedKey | null {
  return typeof key === 'string' ? Buffer.from(key) : key;
}

function compareKeys(one: EncodedKey, other: EncodedKey): number {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other);
  return Buffer.compare(one, other);
}

/** Whether a user is after a position. */
export function isAfter(user: ListedUser, { key, id }: Position, sort: UserSort): boolean {
  const { isDescending } = getSortColumn(sort);
  const present = encodeKey(getPosition(user, sort).key);
  const given = encodeKey(key);
  if (present === null || given === null) {
    if (present !== given) return present === null;
  } else {
    const order = compareKeys(present, given);
    if (order !== 0) return isDescending ? order < 0 : order > 0;
  }
  return isDescending ? user.id < id : user.id > id;
}
