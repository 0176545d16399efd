import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { numberAllEvents } from '../../test/support/events.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { toEnvironment, useService } from '../../test/support/service.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { sql } from '../database/database.ts';
import { addSalt } from '../features/events/chain/chain.ts';
import { readChain, readEventsAfter } from '../features/events/queries.ts';
import { recordEvent } from '../features/events/record-event.ts';
import { deleteOldEvents } from '../features/events/retention/delete-events.ts';
import { removeContent } from '../features/events/retention/queries.ts';
import { DAY, MINUTE } from '../lib/time.ts';

const COUNT = 12;

describeOnSqlite('cli events verify', (engine) => {
  const service = useService(engine);
  const database = () => service.database;
  const verify = async (...args: string[]) => {
    const command = ['events', 'verify', ...args];
    const { code, lines } = await run(command, toEnvironment(service.testDatabase));
    if (code === 2) assert.equal(lines.pop(), 'What to do: /docs/events#after-a-finding');
    return { code, findings: lines.slice(0, -1), last: lines.at(-1)! };
  };
  const change = (...statements: string[]) =>
    database().transaction(async (tx) => {
      for (const statement of statements) await tx.run(sql(statement));
    });
  const COPIES = ['events', 'event_chain'] as const;
  const numberAll = () => numberAllEvents(database());

  before(async () => {
    const { id } = await insertTestUser(database());
    await database().transaction(async (tx) => {
      for (let index = 0; index < COUNT; index++)
        await recordEvent(tx, { type: 'password.changed', userId: id, actor: 'user', now: index });
      // Before the commit: the service numbers events soon after it.
      await tx.run(sql(`update events set network = '${addSalt('203.0.113.0/24')}'`));
    });
    await numberAll();
    for (const table of COPIES) await change(`create table copy_of_${table} as select * from ${table}`);
  });
  const restore = async () => {
    for (const table of COPIES)
      await change(`delete from ${table}`, `insert into ${table} select * from copy_of_${table}`);
  };

  const EDITED = 'its content was edited';
  const PERSONAL = 'its address or its device was edited';
  const REMOVED = 'it was removed';
  const CONTENT_REMOVED = 'its content was removed, and not by the service';
  const DIGEST = /^event (\d+): its digest does not follow/;
  const HEAD = /^event \d+: the end of the chain is another one/;
  for (const [title, statements, expected] of [
    ['an edited member', ["update events set reason = 'x' where number = 5"], [`event 5: ${EDITED}`]],
    [
      'an edited member whose hash was computed anew',
      ["update events set content_hash = 'x', reason = 'x' where number = 5"],
      [`event 5: ${EDITED}`, DIGEST],
    ],
    [
      'an edited address',
      [`update events set network = '${addSalt('198.51.100.0/24')}' where number = 7`],
      [`event 7: ${PERSONAL}`],
    ],
    [
      'a device that is no JSON',
      ["update events set device = 'Firefox' where number = 7"],
      [`event 7: ${PERSONAL}`],
    ],
    [
      'details that are no JSON',
      ["update events set data = 'null,' where number = 7"],
      [`event 7: ${EDITED}`],
    ],
    [
      'content that was removed in part',
      ['update events set type = null where number = 7'],
      [`event 7: ${EDITED}`, `event 7: ${CONTENT_REMOVED}`],
    ],
    [
      'several removed events',
      ['delete from events where number in (6, 7, 8)'],
      [`events 6 to 8: ${REMOVED}`],
    ],
    [
      'the removed last event',
      [`delete from events where number = ${COUNT}`],
      [`event ${COUNT}: ${REMOVED}`],
    ],
    ['an edited digest', ["update events set digest = 'x' where number = 5"], [DIGEST]],
    ['an edited digest of the head', ["update event_chain set digest = 'x'"], [HEAD]],
    ['an edited number of the head', [`update event_chain set number = ${COUNT - 1}`], [HEAD]],
  ] as const) {
    test(`cli events verify finds ${title}`, async () => {
      await change(...statements);
      try {
        const { code, findings } = await verify();
        assert.equal(code, 2);
        assert.equal(findings.length, expected.length, findings.join('\n'));
        for (const [index, finding] of findings.entries()) {
          const pattern: unknown = expected[index];
          if (pattern instanceof RegExp) assert.match(finding, pattern);
          else assert.equal(finding, pattern);
        }
      } finally {
        await restore();
      }
    });
  }

  test('cli events verify accepts the chain, also after content and personal data are deleted', async () => {
    const { digest } = await readChain(database());
    const expected = {
      code: 0,
      findings: [],
      last: `${COUNT} events verified; last number ${COUNT}, digest ${digest}`,
    };
    assert.deepEqual(await verify(), expected);
    await change('update events set network = null where number = 3');
    const [first, second] = await readEventsAfter(database(), 0, 2);
    await database().transaction((tx) => removeContent(tx, [first!, second!]));
    assert.deepEqual(await verify(), expected);
    await restore();
  });

  test('cli events verify accepts a chain whose oldest events were deleted because of their age', async () => {
    await database().transaction((tx) => deleteOldEvents(tx, { before: 5, now: Date.now() }, 100));
    const { code, last } = await verify();
    assert.equal(code, 0);
    assert.match(last, new RegExp(`^${COUNT - 5} events verified; last number ${COUNT},`));
    await restore();
  });

  test('cli events verify finds by a noted head, and by marks, that the whole chain was computed anew', async () => {
    const { number, digest } = await readChain(database());
    const noted = ['--head', JSON.stringify({ number, digest })];
    assert.equal((await verify(...noted)).code, 0);
    await change(
      `update events set number = null, sequence = null, content_hash = null, digest = null`,
      "update events set reason = 'x' where created_at = 5",
      "update event_chain set number = 0, digest = ''",
    );
    await numberAll();
    const unmarked = await verify();
    assert.deepEqual([unmarked.code, unmarked.findings.length], [2, COUNT]);
    assert.match(unmarked.findings[0]!, /^event 1: it was not recorded by the service/);
    const { code, findings } = await verify(...noted);
    assert.equal(code, 2);
    assert.match(findings.at(-1)!, new RegExp(`^event ${number}: its digest is not the one that was noted`));
    await restore();
    const { findings: later } = await verify('--head', JSON.stringify({ number: 99, digest }));
    assert.match(later.join(), /^event 99: it is not among the verified events/);
  });

  test('cli events verify begins after an event of known digest', async () => {
    const { last } = await verify('--from-number', '10');
    assert.match(last, /^2 events verified/);
    const { code, findings } = await verify('--from-number', '10', '--head', '{"number":10,"digest":"x"}');
    assert.equal(code, 2);
    assert.match(findings.join(), /^event 10: its digest is not the one/);
    assert.deepEqual((await verify('--from-number', '99')).code, 1);
  });

  test('cli events verify warns of a clock that was set back, and exits with 0', async () => {
    const { id } = await insertTestUser(database());
    await database().transaction(async (tx) => {
      for (const minutes of [60, 61, 10, 11])
        await recordEvent(tx, { type: 'password.changed', userId: id, now: minutes * MINUTE });
    });
    const { code, findings } = await verify();
    assert.equal(code, 0);
    const line = 'its time is before that of the event before it: the clock was set back';
    assert.deepEqual(findings, [`warning: event ${COUNT + 3}: ${line}`]);
    await restore();
  });

  test('cli events verify finds that the service has deleted events younger than EVENTS_DAYS', async () => {
    const now = Date.now();
    await change(`update event_chain set number = 0, digest = ''`, 'delete from events');
    const { id } = await insertTestUser(database());
    await database().transaction(async (tx) => {
      for (const days of [3, 2, 1])
        await recordEvent(tx, { type: 'password.changed', userId: id, now: now - days * DAY });
    });
    await numberAll();
    await database().transaction((tx) => deleteOldEvents(tx, { before: now - 2 * DAY + 1, now }, 100));
    const { code, findings } = await verify();
    assert.equal(code, 2);
    assert.deepEqual(findings, [
      'event 2: the events up to it were removed before they were older than EVENTS_DAYS',
    ]);
    await restore();
  });

  test('cli events head prints the last number and its digest', async () => {
    const { number, digest } = await readChain(database());
    const { code, stdout } = await run(['events', 'head'], toEnvironment(service.testDatabase));
    assert.deepEqual([code, JSON.parse(stdout)], [0, { number, digest }]);
    for (const wrong of ['x', '{}', '{"number":"1","digest":"x"}'])
      assert.equal((await verify('--head', wrong)).code, 1);
  });

  test('cli events verify warns of events without marks after another SECRET_KEY was accepted, and finds no more', async () => {
    // It would number the event of the acceptance, whose mark has another key.
    await service.service.stop();
    const SECRET_KEY = '0123456789abcdef'.repeat(4);
    const environment = toEnvironment(service.testDatabase, { SECRET_KEY });
    assert.equal((await run(['accept-secret-key'], environment)).code, 0);
    const { code, lines } = await run(['events', 'verify'], environment);
    const line = 'they have no marks: an earlier release, or one with another SECRET_KEY, has recorded them';
    assert.deepEqual([code, lines[0]], [0, `warning: events 1 to ${COUNT}: ${line}`]);
    assert.equal((await verify()).code, 1, 'the old key is not accepted');
  });
});
