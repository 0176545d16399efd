/** Requests with an Idempotency-Key, and what they leave behind in the tables. */
import { randomUUID } from 'node:crypto';
import { type Database, sql } from '../../src/database/database.ts';
import type { ApiRequest, ApiResponse } from './api.ts';

export function newKey(): string {
  return randomUUID();
}

/** A request, with the key among its headers. */
export function keyed(key: string, request: ApiRequest = {}): ApiRequest {
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
}

/** How an answer says that it was given before; null when it was not. */
export function replayed({ headers }: ApiResponse): string | null {
  return headers.get('idempotent-replayed');
}

/** Rows of the whole database: stored answers and open claims are those of keys. */
export interface Tally {
  readonly users: number;
  readonly tokens: number;
  readonly answers: number;
  readonly claims: number;
}

const TALLY = sql<Tally>(`
  select (select count(*) from users) as users, (select count(*) from tokens) as tokens,
    (select count(*) from idempotency_keys where state = 'done') as answers,
    (select count(*) from idempotency_keys where state = 'in_progress') as claims`);

export async function tallyOf(database: Database): Promise<Tally> {
  return (await database.get(TALLY))!;
}

/** Remembers the tally, and gives a function that tells what has been added since. */
export async function watchTally(database: Database): Promise<() => Promise<Tally>> {
  const before = await tallyOf(database);
  return async () => {
    const now = await tallyOf(database);
    return {
      users: now.users - before.users,
      tokens: now.tokens - before.tokens,
      answers: now.answers - before.answers,
      claims: now.claims - before.claims,
    };
  };
}

export const NOTHING: Tally = { users: 0, tokens: 0, answers: 0, claims: 0 };
/** What one registration adds, however often it is sent. */
export const ONE_ACCOUNT: Tally = { users: 1, tokens: 1, answers: 1, claims: 0 };
/** What one creation of a record without a token adds. */
export const ONE_RECORD: Tally = { users: 1, tokens: 0, answers: 1, claims: 0 };
