import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOpened } from '../../../../test/support/backups.ts';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { createCurrentDatabase, describeOnPostgres } from '../../../../test/support/runner/engines.ts';
import { takeLease } from './lease.ts';

const NOW = Date.UTC(2026, 0, 1);

describeOnPostgres('the lease of backups', () => {
  test('the lease of a node that was killed ends within 15 seconds, and one that was only stopped neither renews nor ends that of the next one', async (context) => {
    const testDatabase = await openTestDatabase(context, 'postgres', createCurrentDatabase);
    await withOpened(testDatabase, async (database) => {
      const first = (await takeLease(database, NOW))!;
      assert.equal(await takeLease(database, NOW + 14_999), null);
      assert.equal(await first.renew(NOW + 5_000), true);
      assert.equal(await takeLease(database, NOW + 19_999), null);
      const second = (await takeLease(database, NOW + 20_001))!;
      assert.equal(await first.renew(NOW + 20_002), false);
      await first.release();
      assert.equal(await takeLease(database, NOW + 20_003), null);
      assert.equal(await second.renew(NOW + 25_000), true);
      await second.release();
      assert.notEqual(await takeLease(database, NOW + 25_001), null);
    });
  });
});
