/** The feed of events under concurrent writers: nothing is skipped, repeated or reordered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, sql } from '../../src/database/database.ts';
import { numberEvents } from '../../src/features/events/numbering/number-events.ts';
import { recordEvent } from '../../src/features/events/record-event.ts';
import { numberAllEvents } from '../support/events.ts';
import { describeStorage } from '../support/runner/engines.ts';
import { admin, editor, startService, type TestService, useService } from '../support/service.ts';
import { insertTestUser } from '../support/users.ts';

const WRITERS = 10;
const IDS = sql<{ id: string }>('select id from events where number > 0 order by number');
const USERS = sql<{ id: string; version: number }>('select id, version from users order by id');

function record(database: Database, userId: string, inTransaction = async () => {}): Promise<void> {
  return database.transaction(async (tx) => {
    await recordEvent(tx, { type: 'password.changed', actor: 'user', userId, now: Date.now() });
    await inTransaction();
  });
}

/** Reads pages, oldest first, until nothing is left after `hasEnded`. */
async function follow({ api }: TestService, hasEnded: () => boolean, onEvent: (event: ReadEvent) => unknown) {
  let cursor = '';
  for (;;) {
    const wasComplete = hasEnded();
    const { status, body } = await api.get(`/api/v1/events?order=time&limit=100${cursor}`, admin);
    assert.equal(status, 200);
    for (const event of body.data) await onEvent(event);
    cursor = `&cursor=${body.next_cursor}`;
    if (wasComplete && body.data.length === 0) return;
  }
}

interface ReadEvent {
  readonly id: string;
  readonly subject: string;
}

describeStorage('the feed of events', (engine) => {
  const service = useService(engine);

  test('a reader of the feed gets every event once and in order beside 10 writers, an open transaction and two nodes that number', async (context) => {
    const { testDatabase } = service;
    const { database } = service;
    const other = database.isShared ? await startService(engine, { testDatabase }) : service;
    if (other !== service) context.after(() => other.stop());
    const { id } = await insertTestUser(database);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    // SQLite has one writer: an open transaction would hold all others back.
    const held = database.isShared ? record(database, id, () => released) : Promise.resolve();
    let isComplete = false;
    let written = 0;
    const seen: string[] = [];
    const reading = follow(
      service,
      () => isComplete,
      ({ id }) => seen.push(id),
    );
    const write = async (writer: number) => {
      const node = writer % 2 === 0 ? service : other;
      const { id: userId } = await insertTestUser(database);
      for (let count = 0; count < 30; count++) {
        await record(node.service.database, userId);
        // PostgreSQL ends a transaction that stays open for 15 seconds.
        if (++written === WRITERS * 10) release();
        if (count % 10 === 0)
          await Promise.all([database, other.service.database].map((each) => numberEvents(each)));
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    await held;
    await numberAllEvents(database);
    isComplete = true;
    await reading;
    const stored = (await database.all(IDS)).map(({ id }) => id);
    assert.ok(stored.length >= WRITERS * 30);
    assert.deepEqual(seen, stored);
  });
});

describeStorage('a consumer of the feed', (engine) => {
  const service = useService(engine);

  test('a consumer that follows the feed and fetches the users that it names ends with exactly the users table', async () => {
    const { api, service: running } = service;
    const copy = new Map<string, number>();
    let isComplete = false;
    const following = follow(
      service,
      () => isComplete,
      async ({ subject }) => {
        if (!subject?.startsWith('user:')) return;
        const id = subject.slice('user:'.length);
        const { status, body } = await api.get(`/api/v1/users/${id}`, admin);
        if (status === 404) copy.delete(id);
        else copy.set(id, body.data.version);
      },
    );
    const change = async (writer: number) => {
      for (let count = 0; count < 5; count++) {
        const user = { name: `W ${writer}`, email: `w-${writer}-${count}@example.com` };
        const { body } = await api.post('/api/v1/users', user, admin);
        const path = `/api/v1/users/${body.data.id}`;
        if (count % 2 === 0) await api.patch(path, { name: `Changed ${count}` }, editor);
        if (count % 3 === 0) await api.delete(path, editor);
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_, writer) => change(writer)));
    isComplete = true;
    await following;
    const users = await running.database.all(USERS);
    assert.ok(users.length > 0);
    assert.deepEqual(
      [...copy].sort(([one], [other]) => (one < other ? -1 : 1)),
      users.map(({ id, version }) => [id, version]),
    );
  });
});
