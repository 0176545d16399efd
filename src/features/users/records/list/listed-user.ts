import type { UserRow } from '../queries.ts';

/** A user with the keys by which they are searched and sorted. */
export interface ListedUser extends UserRow {
  readonly email_key: string | null;
  readonly name_key: string | null;
}
