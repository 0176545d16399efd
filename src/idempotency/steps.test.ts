import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKey, watchTally } from '../../test/support/keyed.ts';
import { describeStorage } from '../../test/support/runner/engines.ts';
import { useSharedService } from '../../test/support/service.ts';
import { DatabaseUnavailable, type Tx, UniqueViolation } from '../database/database.ts';
import { readSetting, writeSetting } from '../database/settings.ts';
import { HOUR } from '../lib/time.ts';
import { createIdempotentSteps, type PrepareStep } from './idempotency.ts';

describeStorage('the steps of an idempotent request', (engine) => {
  const service = useSharedService(engine);
  const clock = { now: Date.now() };
  const prepare = () => {
    const { database } = service;
    const secretKey = 'the-secret-of-this-test-and-no-other-one';
    const options = { database, clock: () => clock.now, secretKey, publicUrl: '' };
    const [key, run] = [newKey(), createIdempotentSteps(options)];
    const stored = async (name: string) => Number((await readSetting(database, `${key}-${name}`)) ?? 0);
    /** Counts how often the effect of the step was committed. */
    const step =
      (name: string, fail: () => Error | null = () => null): PrepareStep<string> =>
      async () => {
        const before = await stored(name);
        return async (tx: Tx) => {
          await writeSetting(tx, `${key}-${name}`, String(before + 1));
          const error = fail();
          if (error !== null) throw error;
          return name;
        };
      };
    const attempt = (steps: readonly PrepareStep<string>[], keys: string[] | null = [key]) =>
      run({
        route: 'POST /things',
        caller: { kind: 'anonymous' },
        clientIp: '192.0.2.1',
        params: {},
        keys: keys ?? undefined,
        rawBody: {},
        serializeProblem: ({ status, code }) => ({ status, headers: {}, body: code }),
        steps,
      });
    return { step, attempt, stored };
  };

  test('a repeated request replays the steps that were done, and continues with the one that failed', async () => {
    const { step, attempt, stored } = prepare();
    const added = await watchTally(service.database);
    let failure: Error | null = new Error('the service fails');
    const steps = [step('a'), step('b', () => failure), step('c')];
    await assert.rejects(attempt(steps), /the service fails/);
    assert.deepEqual([await stored('a'), await stored('b'), await stored('c')], [1, 0, 0]);
    failure = null;
    assert.deepEqual(await attempt(steps), { results: ['a', 'b', 'c'], isReplayed: false });
    assert.deepEqual(await attempt(steps), { results: ['a', 'b', 'c'], isReplayed: true });
    assert.deepEqual([await stored('a'), await stored('b'), await stored('c')], [1, 1, 1]);
    assert.deepEqual(await added(), { users: 0, tokens: 0, responses: 3, claims: 0 });
  });

  test('a request whose key has expired runs every step again, also those whose results are still stored', async () => {
    const { step, attempt, stored } = prepare();
    const steps = [step('a'), step('b')];
    await attempt(steps);
    clock.now += 24 * HOUR - 1;
    assert.equal((await attempt(steps)).isReplayed, true);
    clock.now += 1;
    assert.deepEqual(await attempt(steps), { results: ['a', 'b'], isReplayed: false });
    assert.deepEqual([await stored('a'), await stored('b')], [2, 2]);
  });

  test('a request without a key runs every step each time', async () => {
    const { step, attempt, stored } = prepare();
    for (const _ of [1, 2]) assert.equal((await attempt([step('a')], null)).isReplayed, false);
    assert.equal(await stored('a'), 2);
  });

  test('a step that meets a unique value of another transaction is repeated, three times at most', async () => {
    const { step, attempt, stored } = prepare();
    let violations = 2;
    const once = step('a', () => (violations-- > 0 ? new UniqueViolation(null) : null));
    assert.deepEqual((await attempt([once])).results, ['a']);
    assert.equal(await stored('a'), 1);
    const always = step('b', () => new UniqueViolation(null));
    await assert.rejects(attempt([always], [newKey()]), DatabaseUnavailable);
    assert.equal(await stored('b'), 0);
  });
});
