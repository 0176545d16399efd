import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce } from './shared-work.ts';

test('coalesced calls that come while work runs share one run, which begins after it', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const run = coalesce(() => {
    gates.push(Promise.withResolvers<void>());
    return gates.at(-1)!.promise;
  });
  const first = run();
  await Promise.resolve();
  const others = [run(), run(), run()];
  assert.equal(new Set(others).size, 1);
  await Promise.resolve();
  assert.equal(gates.length, 1);
  gates[0]!.resolve();
  await first;
  await Promise.resolve();
  assert.equal(gates.length, 2);
  gates[1]!.resolve();
  await Promise.all(others);
  assert.equal(gates.length, 2);
});
