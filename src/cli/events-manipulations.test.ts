/** Walks the table of docs/events.md: what `events verify` finds of which manipulation. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { toEnvironment, useService } from '../../test/support/service.ts';
import { sql, type Tx } from '../database/database.ts';
import {
  addSalt,
  computeChainDigest,
  createMark,
  hashContent,
  hashPersonal,
  type Mark,
} from '../features/events/chain/chain.ts';
import { numberAllEvents } from '../features/events/numbering/number-events.ts';
import {
  type ChainedRow,
  insertEvents,
  type NewEventRow,
  readEventsAfter,
} from '../features/events/queries.ts';
import { recordEvent } from '../features/events/record-event.ts';
import { newId } from '../lib/secrets/ids.ts';
import { MINUTE } from '../lib/time.ts';
import { readSecretFile } from '../startup/secret-files.ts';

const COUNT = 12;
const COPIES = ['events', 'event_chain'] as const;
const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');

/** The cells of a row of the guide: what an attacker has who writes to the database. */
const ATTACKERS = [
  { hasKey: false, isNoted: false },
  { hasKey: false, isNoted: true },
  { hasKey: true, isNoted: false },
  { hasKey: true, isNoted: true },
] as const;

/** Changes the events, of which the attacker then computes everything anew that they can. */
type Manipulation = (rows: ChainedRow[], now: number) => ChainedRow[];

const replaceFifth = (row: Partial<ChainedRow>) => (rows: ChainedRow[]) =>
  rows.map((each) => (each.number === 5 ? { ...each, ...row } : each));

const REMOVED = {
  type: null,
  subject: null,
  actor: null,
  actor_id: null,
  outcome: null,
  reason: null,
} as const;

const added = (rows: ChainedRow[], now: number): ChainedRow => ({
  ...rows[0]!,
  id: newId(),
  created_at: now,
  mark: null,
});

const MANIPULATIONS: Readonly<Record<string, Manipulation>> = {
  'An event is edited': replaceFifth({ reason: 'edited' }),
  'The time of an event is set back by minutes': (rows, now) =>
    replaceFifth({ created_at: now - 10 * MINUTE })(rows),
  'An address or a device is edited': replaceFifth({ network: addSalt('198.51.100.0/24') }),
  'An address or a device is removed': replaceFifth({ network: null }),
  'The content of an event is set to null': replaceFifth({
    ...REMOVED,
    data: null,
    sequence: null,
    network: null,
  }),
  'An event between others is removed': (rows) => rows.filter(({ number }) => number !== 5),
  'An event is added between others': (rows, now) => [
    ...rows.slice(0, 5),
    added(rows, now),
    ...rows.slice(5),
  ],
  'An event is added at the end': (rows, now) => [...rows, added(rows, now)],
  'The oldest events are removed': (rows) => rows.slice(3),
  'The newest events are removed': (rows) => rows.slice(0, -2),
  'The row of `event_chain` is removed': (rows) => rows,
};

describeOnSqlite('the table of manipulations', (engine) => {
  const service = useService(engine);
  const database = () => service.database;
  const change = (statement: string, ...values: (string | number | null)[]) =>
    database().transaction((tx) => tx.run(sql(statement), ...values));
  const environment = () => toEnvironment(service.testDatabase);
  let mark: Mark;
  let head: string;

  before(async () => {
    mark = createMark(readSecretFile(join(service.testDatabase.directory, 'secret-key'))!);
    await database().transaction(async (tx) => {
      for (let index = 0; index < COUNT; index++)
        await recordEvent(tx, { type: 'password.changed', userId: 'ada', actor: 'user', now: Date.now() });
    });
    await numberAllEvents(database());
    for (const table of COPIES) await change(`create table copy_of_${table} as select * from ${table}`);
    head = (await run(['events', 'head'], environment())).stdout;
  });

  /** In one transaction: the service numbers events meanwhile. */
  const restore = () =>
    database().transaction(async (tx) => {
      for (const table of COPIES) {
        await tx.run(sql(`delete from ${table}`));
        await tx.run(sql(`insert into ${table} select * from copy_of_${table}`));
      }
    });

  for (const [title, manipulate] of Object.entries(MANIPULATIONS))
    test(`events verify finds what the guide says: ${title}`, async () => {
      const found: string[] = [];
      for (const { hasKey, isNoted } of ATTACKERS) {
        await database().transaction(async (tx) => {
          const before = await readEventsAfter(tx, 0, 100);
          await storeRows(tx, { before, rows: manipulate(before, Date.now()), mark: hasKey ? mark : null });
        });
        if (title.includes('event_chain')) await change('delete from event_chain');
        const noted = isNoted ? ['--head', head] : [];
        const { code } = await run(['events', 'verify', ...noted], environment());
        found.push(code === 2 ? 'found' : 'not found');
        await restore();
      }
      assert.ok(GUIDE.includes(`| ${[title, ...found].join(' | ')} |`), `${title}: ${found}`);
    });
});

/** Returns the hash of the content with that of its personal data. */
function rehash(row: ChainedRow): string {
  return hashContent({ ...row, network_hash: hashPersonal(row.network) ?? row.network_hash });
}

interface StoredRows {
  readonly before: readonly ChainedRow[];
  readonly rows: readonly ChainedRow[];
  /** Null without the key. */
  readonly mark: Mark | null;
}

/** Stores the events with numbers and digests that follow from each other, and marks with the key only. */
async function storeRows(tx: Tx, { before, rows, mark }: StoredRows): Promise<void> {
  const first = before.find(({ id }) => id === rows[0]!.id)!;
  const deleted = before[first.number - 2];
  let { number, digest } = deleted ?? { number: 0, digest: '' };
  await tx.run(sql('delete from events'));
  for (const row of rows) {
    number += 1;
    const content_hash = row.type === null ? row.content_hash : rehash(row);
    digest = computeChainDigest(digest, number, content_hash);
    const own = mark === null ? row.mark : mark(row.type === null ? 'removed' : 'numbered', number, digest);
    await insertEvents(tx, [row as NewEventRow]);
    const hash = hashPersonal(row.network) ?? row.network_hash;
    await tx.run(SET_NUMBER, row.id, number, row.sequence, content_hash, digest, own, hash);
  }
  await tx.run(sql('update event_chain set number = $1, digest = $2'), number, digest);
  if (deleted === undefined) return;
  const start = [deleted.number, deleted.digest] as const;
  await tx.run(SET_START, ...start, mark?.('deleted', ...start, 0) ?? null);
}

const SET_NUMBER = sql(`
  update events set number = $2, sequence = $3, content_hash = $4, digest = $5, mark = $6, network_hash = $7
  where id = $1`);
const SET_START = sql('update event_chain set deleted_number = $1, deleted_digest = $2, deleted_mark = $3');
