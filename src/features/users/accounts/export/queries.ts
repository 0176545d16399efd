import { type Reader, sql } from '../../../../database/database.ts';

/** Columns of a user besides the record of the API. */
export interface HiddenColumns {
  readonly has_password: number;
}

const HIDDEN = sql<HiddenColumns>(`
  select case when password_hash is null then 0 else 1 end as has_password
  from users where id = $1`);

export async function findHiddenColumns(reader: Reader, userId: string): Promise<HiddenColumns> {
  return (await reader.get(HIDDEN, userId))!;
}

const DAYS = sql<{ day: number }>(
  'select day from user_activity where user_id = $1 order by day desc limit $2',
);

/** Returns the days on which the user was active, latest first, as numbers since 1970-01-01. */
export async function listActiveDays(reader: Reader, userId: string, limit: number): Promise<number[]> {
  return (await reader.all(DAYS, userId, limit)).map(({ day }) => day);
}
