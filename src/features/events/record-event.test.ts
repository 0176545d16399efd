import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertTestEvents } from '../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { latestEvents } from './queries.ts';
import { MAX_EVENTS_PER_USER, type NewEvent, recordEvent } from './record-event.ts';

const NOW = Date.UTC(2026, 0, 1);

describeOnEachEngine('the security events of a user', (engine) => {
  const service = useService(engine);
  const newUser = async () => (await insertTestUser(service.service.database)).id;
  const record = (userId: string, ...events: Partial<NewEvent>[]) =>
    service.service.database.transaction(async (tx) => {
      for (const event of events)
        await recordEvent(tx, { userId, kind: 'logged_in', actor: 'user', now: NOW, ...event });
    });
  const stored = async (userId: string) =>
    (await latestEvents(service.service.database, userId, 2_000)).reverse();

  test('security events of one kind and actor within an hour are stored as one, with their number and last time', async () => {
    const userId = await newUser();
    await record(
      userId,
      {},
      { now: NOW + 1 },
      { now: NOW + HOUR - 1 },
      { now: NOW + HOUR },
      { now: NOW + HOUR + 1 },
    );
    const events = await stored(userId);
    assert.deepEqual(
      events.map(({ created_at, occurrences, last_at }) => [created_at - NOW, occurrences, last_at! - NOW]),
      [
        [0, 3, HOUR - 1],
        [HOUR, 2, HOUR + 1],
      ],
    );
  });

  test('security events of another kind, actor or user are stored by themselves', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    await record(userId, {}, { kind: 'tokens_revoked' }, { kind: 'tokens_revoked', actor: 'administrator' });
    await record(other, {});
    for (const event of [...(await stored(userId)), ...(await stored(other))])
      assert.deepEqual([event.occurrences, event.last_at], [1, null]);
    assert.deepEqual([(await stored(userId)).length, (await stored(other)).length], [3, 1]);
  });

  test('security events about passwords and emails are never stored as one, because they are counted one by one', async () => {
    const userId = await newUser();
    const kinds = ['password_changed', 'email_change_requested', 'logged_in_from_new_network'] as const;
    await record(userId, ...[...kinds, ...kinds].map((kind) => ({ kind })));
    assert.equal((await stored(userId)).length, 6);
  });

  test('security events are at most 1,000 per user: the oldest are deleted, also those of an earlier release', async () => {
    const userId = await newUser();
    await insertTestEvents(service.service.database, userId, MAX_EVENTS_PER_USER + 30);
    await record(userId, { kind: 'disabled' });
    assert.equal((await stored(userId)).length, MAX_EVENTS_PER_USER + 11);
    await record(userId, { kind: 'enabled' }, { kind: 'disabled', now: NOW + DAY });
    const events = await stored(userId);
    assert.equal(events.length, MAX_EVENTS_PER_USER);
    assert.deepEqual(
      events.slice(-3).map(({ kind }) => kind),
      ['disabled', 'enabled', 'disabled'],
    );
    assert.equal(events[0]!.created_at, 34, 'the times of those before begin with 1');
  });
});
