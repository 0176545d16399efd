import { type Reader, sql } from '../../database/database.ts';
import type { UserState } from '../users/queries.ts';

const BY_STATE = sql<{ state: UserState; users: number }>(
  'select state, count(*) as users from users group by state',
);

export function countUsersByState(reader: Reader): Promise<{ state: UserState; users: number }[]> {
  return reader.all(BY_STATE);
}

const SIGN_UPS_BY_DAY = sql<{ day: number; users: number }>(`
  select created_at / 86400000 as day, count(*) as users from users where created_at >= $1 and created_at < $2
  group by created_at / 86400000`);

/** Counts the users created from `from` to before `to` by UTC day. Days without any have no row. */
export function countSignUpsByDay(reader: Reader, from: number, to: number) {
  return reader.all(SIGN_UPS_BY_DAY, from, to);
}

const LIVE_TOKENS = sql<{ tokens: number }>('select count(*) as tokens from tokens where expires_at > $1');

export async function countLiveTokens(reader: Reader, now: number): Promise<number> {
  return (await reader.get(LIVE_TOKENS, now))?.tokens ?? 0;
}
