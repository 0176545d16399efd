import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../../../test/support/events.ts';
import { manualClock } from '../../../../../test/support/limits.ts';
import { pluck } from '../../../../../test/support/pluck.ts';
import { describeStorage } from '../../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../../test/support/service.ts';
import { createLog } from '../../../../lib/log/log.ts';
import { DAY, HOUR, MINUTE } from '../../../../lib/time.ts';
import { startHousekeeping } from '../../../../startup/housekeeping.ts';
import { listSigningKeys } from './queries.ts';
import { createKeySeal, rotateKeysWhenDue } from './rotate-keys.ts';

const NODES = 8;
const keySeal = createKeySeal('a-secret-key-of-more-than-32-characters');

describeStorage('rotateKeysWhenDue', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  const { database } = service;
  const rotateOnAllNodes = () => {
    return Promise.all(
      Array.from({ length: NODES }, () => rotateKeysWhenDue({ database, clock, keySeal }, 'ES256')),
    );
  };

  test('one of several nodes that rotate the signing keys at the same time creates the key, and a rotation is one event', async () => {
    await rotateOnAllNodes();
    const [first, ...others] = await listSigningKeys(database);
    assert.deepEqual(others, []);
    assert.equal(first!.signs_from, clock.now);
    clock.now += 29 * DAY;
    await rotateOnAllNodes();
    await rotateOnAllNodes();
    const keys = await listSigningKeys(database);
    assert.equal(keys.length, 2);
    await numberAllEvents(database);
    const { body } = await service.api.get('/api/v1/events?subject=signing_keys', admin);
    const [event, ...more] = body.data;
    assert.deepEqual(more, [], 'the first key is no rotation');
    assert.partialDeepStrictEqual(event, { type: 'signing_key.rotated', actor: { type: 'system' } });
    const signs_from = new Date(first!.signs_from + 30 * DAY).toISOString();
    assert.deepEqual(event.details, { kid: keys[1]!.id, signs_from, revoked: false });
  });
});

describeStorage('signing keys of the housekeeping', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });

  test('a successor is in the key set an hour before it signs at least, and the housekeeping creates and deletes keys', async () => {
    const { database } = service;
    const options = {
      clock,
      logger: createLog('silent'),
      settings: { current: { unclaimedUsersDays: 7, eventsDays: 180 } },
      rotateKeys: () => rotateKeysWhenDue({ database, clock, keySeal }, 'ES256'),
    };
    const housekeeping = startHousekeeping(database, options);
    await housekeeping.run();
    const [before] = await listSigningKeys(database);
    // Late by five days: nothing has run.
    clock.now = before!.signs_from + 35 * DAY;
    await housekeeping.run();
    const [old, next] = await listSigningKeys(database);
    assert.equal(next!.signs_from, clock.now + HOUR);
    assert.deepEqual([old!.signs_until, old!.removed_at], [next!.signs_from, next!.signs_from + 70 * MINUTE]);
    clock.now = next!.signs_from + 70 * MINUTE;
    await housekeeping.run();
    assert.deepEqual(pluck(await listSigningKeys(database), 'id'), [next!.id]);
    await housekeeping.close();
  });
});
