/** Compares the record of events with the writes that clients know of, and with the tables that they changed. */
import assert from 'node:assert/strict';
import { type Database, sql } from '../../../src/database/database.ts';
import type { Mark } from '../../../src/features/events/chain/chain.ts';
import { verifyChain } from '../../../src/features/events/verify/verify-chain.ts';
import { pluck } from '../pluck.ts';
import { type Ledger, STATUSES } from './writers.ts';

interface StoredEvent {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly actor: string;
  readonly data: string;
}

const EVENTS = sql<StoredEvent>(
  'select id, number, type, subject, sequence, actor, data from events order by number',
);
const UNNUMBERED = sql('select id from events where number is null');
const USERS = sql<{ id: string; version: number }>('select id, version from users order by id');
const TOKENS = sql<{ user_id: string; count: number }>(
  'select user_id, count(*) as count from tokens group by user_id order by user_id',
);

export async function areAllNumbered(database: Database): Promise<boolean> {
  return (await database.all(UNNUMBERED)).length === 0;
}

/** Returns all events, all of which have a number. */
export async function readStoredEvents(database: Database): Promise<StoredEvent[]> {
  assert.ok(await areAllNumbered(database));
  return database.all(EVENTS);
}

export async function readVersions(database: Database): Promise<[string, number][]> {
  return (await database.all(USERS)).map(({ id, version }) => [id, version]);
}

/** Asserts that acknowledged writes have one event, others one or none, and that nothing else caused any. */
export function assertRecorded(events: readonly StoredEvent[], ledger: Ledger): void {
  const caused = events.filter(({ type }) => Object.hasOwn(STATUSES, type));
  const byRequest = Map.groupBy(caused, ({ data }) => String(JSON.parse(data).request_id));
  for (const [requestId, { type, isAcknowledged }] of ledger) {
    const types = (byRequest.get(requestId) ?? []).map((event) => event.type);
    if (isAcknowledged || types.length > 0) assert.deepEqual(types, [type], `the events of ${requestId}`);
    byRequest.delete(requestId);
  }
  assert.deepEqual([...byRequest.keys()], [], 'every event was caused by a request');
}

/** Asserts that users, their versions and their tokens are exactly those that the events tell of. */
export async function assertEffects(database: Database, events: readonly StoredEvent[]): Promise<void> {
  const versions = new Map<string, number>();
  const tokens = new Map<string, number>();
  const add = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const { type, subject, actor } of events) {
    const id = subject?.slice('user:'.length) ?? '';
    if (type === 'user.created' || type === 'user.updated') add(versions, id);
    // A registration is a login, too.
    if (type === 'login.succeeded' || (type === 'user.created' && actor === 'user')) add(tokens, id);
    if (type === 'user.erased') for (const counts of [versions, tokens]) counts.delete(id);
  }
  assert.deepEqual(await readVersions(database), sortById(versions));
  const stored = (await database.all(TOKENS)).map(({ user_id, count }) => [user_id, count]);
  assert.deepEqual(stored, sortById(tokens));
}

/** Returns the entries ordered by id. */
export function sortById(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Asserts that numbers, and sequences of each subject, begin with 1 and have no gaps, and that the chain is valid. */
export async function assertChained(
  database: Database,
  events: readonly StoredEvent[],
  mark: Mark,
): Promise<void> {
  const count = (length: number) => Array.from({ length }, (_, index) => index + 1);
  assert.deepEqual(pluck(events, 'number'), count(events.length));
  for (const [subject, own] of Map.groupBy(events, (event) => event.subject)) {
    const sequences = own.map(({ sequence }) => sequence);
    if (subject !== null) assert.deepEqual(sequences, count(own.length), `the sequence of ${subject}`);
  }
  const findings: unknown[] = [];
  const options = { after: null, noted: null, mark, before: Date.now() };
  const verification = await verifyChain(database, options, (...finding) => findings.push(finding));
  assert.deepEqual(findings, []);
  assert.equal(verification?.count, events.length);
}
