import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { runInContext } from '../../callers/action-context.ts';
import { createLog } from '../../lib/log/log.ts';
import { DAY } from '../../lib/time/clock.ts';
import { startHousekeeping } from '../../startup/housekeeping.ts';
import { readChain, readEventsAfter } from './queries.ts';
import { recordEvent } from './record-event.ts';

const NOW = Date.UTC(2026, 5, 1);

describeOnEachEngine('the retention of events', (engine) => {
  const service = useService(engine);
  const context = {
    actor: { type: 'user', id: 'ada', name: null },
    requestId: null,
    clientIp: '203.0.113.7',
    address: '203.0.113.0/24',
    userAgent: 'curl/8',
  } as const;

  test('events are deleted after EVENTS_DAYS from the start of the chain, and their addresses after 30 days', async () => {
    const { database } = service.service;
    const ages = [101, 100.5, 100, 31, 30, 1];
    await runInContext(context, () =>
      database.transaction(async (tx) => {
        for (const days of ages)
          await recordEvent(tx, { type: 'email.verified', userId: 'ada', now: NOW - days * DAY });
        await recordEvent(tx, { type: 'user.erased', userId: 'bob', now: NOW - 101 * DAY });
      }),
    );
    await numberAllEvents(database);
    const before = await readEventsAfter(database, 0, 10);
    const options = {
      clock: () => NOW,
      logger: createLog('silent'),
      settings: { current: { unclaimedUsersDays: 7, eventsDays: 100 } },
    };
    const housekeeping = startHousekeeping(database, options);
    await housekeeping.run();
    await housekeeping.close();
    const kept = await readEventsAfter(database, 0, 10);
    // The event of Bob follows younger ones: it is deleted with them.
    assert.deepEqual(
      kept.map(({ number, network, device }) => [number, network !== null, device !== null]),
      [
        [3, false, true],
        [4, false, true],
        [5, true, true],
        [6, true, true],
        [7, false, true],
      ],
    );
    const { deleted_number, deleted_digest } = await readChain(database);
    assert.deepEqual([deleted_number, deleted_digest], [2, before[1]!.digest]);
  });
});
