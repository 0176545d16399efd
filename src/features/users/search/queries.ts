import { type Reader, sql } from '../../../database/database.ts';
import { USER_COLUMNS, type UserRow } from '../queries.ts';

/** A user with the keys by which they are searched. */
export interface SearchedUser extends UserRow {
  readonly email_key: string | null;
  readonly name_key: string | null;
}

const COLUMNS = `${USER_COLUMNS}, users.email_key, users.name_key`;

const BY_EMAIL = sql<SearchedUser>(`
  select ${COLUMNS} from users where (email_key, id) > ($1, $2) and email_key < $3
  order by email_key, id limit $4`);

const BY_NAME = sql<SearchedUser>(`
  select ${COLUMNS} from users where (name_key, id) > ($1, $2) and name_key < $3
  order by name_key, id limit $4`);

/** A part of an index, which begins after the row with this key and id. */
export interface KeyRange {
  readonly after: { readonly key: string; readonly id: string };
  /** The first key after the range. */
  readonly end: string;
  readonly limit: number;
}

/** Returns users in the order of their normalized emails. */
export function usersByEmail(reader: Reader, { after, end, limit }: KeyRange): Promise<SearchedUser[]> {
  return reader.all(BY_EMAIL, after.key, after.id, end, limit);
}

/** Returns users in the order of their normalized names. */
export function usersByName(reader: Reader, { after, end, limit }: KeyRange): Promise<SearchedUser[]> {
  return reader.all(BY_NAME, after.key, after.id, end, limit);
}
