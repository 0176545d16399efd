import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestEvents, numberAllEvents } from '../../../test/support/events.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { createExportEvents, FEED, readEventPages } from './list/list-events.ts';
import { deleteOldEvents } from './retention/delete-events.ts';

const PATH = '/api/v1/events/export';

describeOnEachEngine('GET /api/v1/events/export', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const user = { id: '' };
  const parse = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  before(async () => {
    user.id = (await insertTestUser(database)).id;
    await insertTestEvents(database, user.id, 900);
    await insertTestEvents(database, (await insertTestUser(database)).id, 900, 'user.updated');
    await numberAllEvents(database);
  });

  test('the export of events has every event once in both orders, as the list has them', async () => {
    const { status, headers, text } = await service.api.get(`${PATH}?order=time&type=token.rotated`, admin);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/x-ndjson');
    assert.match(
      headers.get('content-disposition')!,
      /^attachment; filename="events-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    const recorded = await service.api.get('/api/v1/events?type=events.exported', admin);
    const [{ subject, actor }] = recorded.body.data;
    assert.deepEqual([subject, actor.name], ['events', 'ADMIN_TOKEN']);
    const events = parse(text);
    const sequences = events.map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: 900 }, (_, index) => index + 1),
    );
    const list = await service.api.get(`/api/v1/events?order=time&subject=user:${user.id}&limit=100`, admin);
    const listed = list.body.data.map(({ folded: _, ...event }: { folded: unknown }) => event);
    assert.deepEqual(events.slice(0, 100), listed);
    const newest = parse((await service.api.get(PATH, admin)).text);
    assert.deepEqual(newest.filter(({ type }) => type === 'token.rotated').toReversed(), events);
  });

  test('the export of events ends with those that exist at its start', async () => {
    for (const order of ['time', '-time'] as const) {
      const filter = { ...FEED.filter, type: 'token.rotated' } as const;
      const pages = readEventPages(database, { filter, order }, 100);
      let count = (await pages.next()).value.length;
      await insertTestEvents(database, (await insertTestUser(database)).id, 300);
      await numberAllEvents(database);
      for await (const page of pages) count += page.length;
      assert.equal(count, order === 'time' ? 900 : 1_200);
    }
  });
});

describeOnSqlite('an export of events whose events are deleted', (engine) => {
  const service = useService(engine);

  test('the export of events fails when events are deleted before it reads them, so that the transfer is reset', async () => {
    const { database } = service;
    await insertTestEvents(database, (await insertTestUser(database)).id, 1_500);
    await numberAllEvents(database);
    const stream = await createExportEvents({ database, clock: Date.now })(FEED);
    await database.transaction((tx) => deleteOldEvents(tx, { before: Date.now(), now: Date.now() }, 1_200));
    await assert.rejects(stream.toArray(), { code: 'events_expired' });
  });
});
