/** Requests with an Idempotency-Key, and counts of the rows that they add. */
import { randomUUID } from 'node:crypto';
import { type Database, sql } from '../../src/database/database.ts';
import type { ApiRequest, ApiResponse } from './api.ts';

export function newKey(): string {
  return randomUUID();
}

/** Adds the Idempotency-Key to a request. */
export function keyed(key: string, request: ApiRequest = {}): ApiRequest {
  return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
}

/** Returns the header of a replay, or null when the response is none. */
export function replayed({ headers }: ApiResponse): string | null {
  return headers.get('idempotent-replayed');
}

/** Numbers of rows. Responses and claims are those stored for Idempotency-Keys. */
export interface Tally {
  readonly users: number;
  readonly tokens: number;
  readonly responses: number;
  readonly claims: number;
}

const TALLY = sql<Tally>(`
  select (select count(*) from users) as users, (select count(*) from tokens) as tokens,
    (select count(*) from idempotency_keys where state = 'done') as responses,
    (select count(*) from idempotency_keys where state = 'in_progress') as claims`);

export async function readTally(database: Database): Promise<Tally> {
  return (await database.get(TALLY))!;
}

/** Returns a function that returns how many rows were added since this call. */
export async function watchTally(database: Database): Promise<() => Promise<Tally>> {
  const before = await readTally(database);
  return async () => {
    const now = await readTally(database);
    return {
      users: now.users - before.users,
      tokens: now.tokens - before.tokens,
      responses: now.responses - before.responses,
      claims: now.claims - before.claims,
    };
  };
}

export const NOTHING: Tally = { users: 0, tokens: 0, responses: 0, claims: 0 };
/** Rows that one registration adds, however often it is sent. */
export const ONE_ACCOUNT: Tally = { users: 1, tokens: 1, responses: 1, claims: 0 };
/** Rows that the creation of one user without a token adds. */
export const ONE_RECORD: Tally = { users: 1, tokens: 0, responses: 1, claims: 0 };
