/** What records with a version have in common, such as webhooks and applications: how one is found, changed, deleted. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, DatabaseDeps, Reader, Tx } from '../../database/database.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { Problem } from '../../problems/problem.ts';
import { type NewEvent, type RecordedChange, recordEvent } from '../events/record-event.ts';
import { checkVersion, type VersionCheck } from '../users/records/rules.ts';

interface VersionedRow {
  readonly id: string;
  readonly updated_at: number;
  /** The number in the ETag, which each change raises. */
  readonly version: number;
}

/** The statements of a kind of records, and the details of its events. */
export interface RecordStore<Row extends VersionedRow> {
  /** Begins the types and subjects of its events, and the code of the problem that there is no such record. */
  readonly kind: 'application' | 'group' | 'identity_provider' | 'webhook';
  find(reader: Reader, id: string): Promise<Row | undefined>;
  /** Returns the row, which no other transaction changes until the end of this one. */
  lock(tx: Tx, id: string): Promise<Row | undefined>;
  update(tx: Tx, row: Row): Promise<unknown>;
  delete(tx: Tx, id: string): Promise<unknown>;
  /** Returns the members that differ. */
  listChanges(before: Row, after: Row): RecordedChange[];
  /** Returns details of each of its events, such as the name. */
  getDetails?(row: Row): NewEvent['details'];
}

/** The record of a request, and its precondition. */
export interface ExpectedRecord {
  readonly id: string;
  readonly isExpected: VersionCheck;
}

/** Records an event of a record. */
export function addRecordEvent<Row extends VersionedRow>(
  tx: Tx,
  { kind, getDetails }: RecordStore<Row>,
  { row, details, ...event }: Omit<NewEvent, 'subject'> & { readonly row: Row },
): Promise<void> {
  const all = getDetails || details ? { details: { ...getDetails?.(row), ...details } } : {};
  return recordEvent(tx, { ...event, ...all, subject: `${kind}:${row.id}` });
}

/** @throws Problem, such as webhook_not_found, also for a text that cannot be an id */
export async function getRecord<Row extends VersionedRow>(
  reader: Reader,
  { kind, find }: RecordStore<Row>,
  id: string,
): Promise<Row> {
  const row = isId(id) ? await find(reader, id) : undefined;
  if (row === undefined) throw new Problem(`${kind}_not_found`);
  return row;
}

/** Does the same for a record that no other transaction changes until the end of this one. */
export async function lockRecord<Row extends VersionedRow>(
  tx: Tx,
  { kind, lock }: RecordStore<Row>,
  id: string,
): Promise<Row> {
  const row = isId(id) ? await lock(tx, id) : undefined;
  if (row === undefined) throw new Problem(`${kind}_not_found`);
  return row;
}

/** Writes a record that the transaction has locked with its next version, and records the event; not without a change. */
export async function storeChange<Row extends VersionedRow>(
  tx: Tx,
  store: RecordStore<Row>,
  { before, after, now }: { readonly before: Row; readonly after: Row; readonly now: number },
): Promise<Row> {
  const changes = store.listChanges(before, after);
  if (changes.length === 0) return before;
  const row = { ...after, updated_at: now, version: before.version + 1 };
  await store.update(tx, row);
  await addRecordEvent(tx, store, { type: `${store.kind}.updated`, row, changes, now });
  return row;
}

/**
 * Changes a record and returns it. Changes without effect keep the version.
 * @throws Problem precondition_failed, that there is no such record, and what `change` throws
 */
export function changeRecord<Row extends VersionedRow>(
  { database, clock }: DatabaseDeps,
  store: RecordStore<Row>,
  { id, isExpected, change }: ExpectedRecord & { change: (before: Row, tx: Tx) => Row | Promise<Row> },
): Promise<Row> {
  return database.transaction(async (tx) => {
    const before = await lockRecord(tx, store, id);
    checkVersion(before, isExpected);
    return storeChange(tx, store, { before, after: await change(before, tx), now: clock() });
  });
}

/** @throws Problem precondition_failed, that there is no such record */
export function deleteRecord<Row extends VersionedRow>(
  { database, clock }: DatabaseDeps,
  store: RecordStore<Row>,
  { id, isExpected }: ExpectedRecord,
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await lockRecord(tx, store, id);
    checkVersion(row, isExpected);
    await store.delete(tx, id);
    await addRecordEvent(tx, store, { type: `${store.kind}.deleted`, row, now: clock() });
  });
}

const BATCH_SIZE = 500;

/** Deletes what belongs to a record in batches, so that no transaction takes long. `deleteNext` returns the number. */
export async function deleteInBatches(
  database: Database,
  deleteNext: (tx: Tx, limit: number) => Promise<number>,
): Promise<void> {
  const deleteBatch = () => database.transaction((tx) => deleteNext(tx, BATCH_SIZE), { isLong: true });
  while ((await deleteBatch()) === BATCH_SIZE) await nextTurn();
}
