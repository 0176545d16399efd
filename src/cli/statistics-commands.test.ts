import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnEachEngine } from '../../test/support/runner/engines.ts';
import { toEnvironment, useService } from '../../test/support/service.ts';
import { assertExactFigures } from '../../test/support/statistics/statistics.ts';

describeOnEachEngine('cli statistics recompute', (engine) => {
  const service = useService(engine);

  test('cli statistics recompute prints its corrections while the service runs, and then that there are none', async () => {
    const { database } = service.service;
    await service.api.post('/api/v1/users', {});
    await database.transaction(async (tx) => tx.count('unclaimed_users', 0, 5));
    const recompute = () => run(['statistics', 'recompute'], toEnvironment(service.testDatabase));
    const first = await recompute();
    assert.equal(first.code, 0, first.lines.join('\n'));
    const expected = (unclaimed: number) => [
      'users by state: 0 corrected',
      `unclaimed records: ${unclaimed} corrected`,
      'sign-ups by day: 0 corrected',
      'tokens by hour of expiry: 0 corrected',
      'days of activity of users: 0 corrected',
      'active users by day: 0 corrected',
    ];
    assert.deepEqual(first.lines, expected(1));
    await assertExactFigures(database);
    assert.deepEqual((await recompute()).lines, expected(0));
  });
});
