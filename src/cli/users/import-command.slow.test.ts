import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOREIGN_HASHES } from '../../../test/support/foreign-hashes.ts';
import { run } from '../../../test/support/processes/process.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { toEnvironment, useService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import { until } from '../../../test/support/until.ts';
import { countUsersByState } from '../../features/users/records/user-counters.ts';

const BCRYPT = FOREIGN_HASHES[1]!.hash;

describeOnEachEngine('the process of cli users import', (engine) => {
  const service = useService(engine);
  const path = (name: string) => join(service.testDatabase.directory, name);
  const start = (args: readonly string[]) =>
    run(['src/cli.ts', 'users', 'import', ...args], toEnvironment(service.testDatabase));

  test('cli users import completes 24,000 users after a kill in the middle and after Ctrl-C, each once', async () => {
    const { database } = service;
    const active = async () => (await countUsersByState(database)).active;
    const before = await active();
    const rows = Array.from({ length: 24_000 }, (_, index) => `import-${index}@example.com,${BCRYPT}`);
    const toCsv = (some: readonly string[]) => ['email,password_hash', ...some, ''].join('\n');
    writeFileSync(path('many.csv'), toCsv(rows));
    for (const [signal, given] of [
      ['SIGKILL', 10_000],
      ['SIGINT', 20_000],
    ] as const) {
      const existing = await active();
      const { child, ending } = start(['-', '--format', 'csv']);
      // A process that was killed reads no more.
      child.stdin!.on('error', () => {});
      // The rest comes after the signal: however late this is, the import is not complete.
      child.stdin!.write(toCsv(rows.slice(0, given)));
      await until(async () => (await active()) >= existing + 500, 'users are stored');
      child.kill(signal);
      child.stdin!.end(rows.slice(given).join('\n'));
      const { code, lines } = await ending;
      if (signal === 'SIGINT') {
        assert.equal(code, 2, lines.join('\n'));
        assert.match(lines.at(-1)!, /^Interrupted: /);
      }
      assert.ok((await active()) < before + 24_000, 'it was interrupted');
    }
    const imported = (await active()) - before;
    assert.equal(imported % 2_000, 0, 'only whole batches were committed');
    const last = await start([path('many.csv'), '--json']).ending;
    assert.deepEqual(
      [last.code, JSON.parse(last.lines.at(-1)!)],
      [
        0,
        {
          imported: 24_000 - imported,
          existing: imported,
          rejected: 0,
          interrupted: false,
        },
      ],
    );
    assert.equal(await active(), before + 24_000);
    await assertExactFigures(database);
  });
});
