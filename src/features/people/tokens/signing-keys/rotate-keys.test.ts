import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../../../test/support/events.ts';
import { manualClock } from '../../../../../test/support/limits.ts';
import { describeStorage } from '../../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../../test/support/service.ts';
import { DAY } from '../../../../lib/time.ts';
import { listSigningKeys } from './queries.ts';
import { createKeySeal, rotateKeysWhenDue } from './rotate-keys.ts';

const NODES = 8;

describeStorage('rotateKeysWhenDue', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  const keySeal = createKeySeal('a-secret-key-of-more-than-32-characters');
  const rotateOnAllNodes = () => {
    const { database } = service.service;
    return Promise.all(
      Array.from({ length: NODES }, () => rotateKeysWhenDue({ database, clock, keySeal }, 'ES256')),
    );
  };

  test('one of several nodes that rotate the signing keys at the same time creates the key, and a rotation is one event', async () => {
    const { database } = service.service;
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
    const { body } = await service.api.get('/api/v1/events?subject=signing_keys', { token: ADMIN_TOKEN });
    const [event, ...more] = body.data;
    assert.deepEqual(more, [], 'the first key is no rotation');
    assert.partialDeepStrictEqual(event, { type: 'signing_key.rotated', actor: { type: 'system' } });
    const signs_from = new Date(first!.signs_from + 30 * DAY).toISOString();
    assert.deepEqual(event.details, { kid: keys[1]!.id, signs_from, revoked: false });
  });
});
