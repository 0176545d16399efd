import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import packageJson from '../package.json' with { type: 'json' };
import { distribute } from './support/runner/durations.ts';
import { BROWSER_SHARDS, findTestFiles, SHARDS } from './support/runner/test-files.ts';

const { shared, browser, own, slow } = findTestFiles();
const all = [...shared, ...browser, ...own, ...slow];

/** Support modules that start programs or browsers for all suites of a file, and close them after the first suite. */
const OF_BROWSERS = /support\/browser\/(?:browser|console)\.ts'/;
const OF_PROCESSES = /support\/processes\/(?:process|postgres-server)\.ts'/;

/** Returns the files with this import whose names do not say so. */
function misnamed(files: readonly string[], pattern: RegExp): readonly string[] {
  return files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
}

describe('test files', () => {
  test('test files have the name *.browser.test.ts when they open a browser', () => {
    const others = all.filter((file) => !/\.(?:browser|slow)\.test\.ts$/.test(file));
    assert.deepEqual(misnamed(others, OF_BROWSERS), []);
  });

  test('test files have the name *.process.test.ts, unless they are slow, when they start programs', () => {
    assert.deepEqual(misnamed(shared, OF_PROCESSES), []);
  });

  test('test files have no name that resembles the suffix of a suite', () => {
    const name = /^[a-z\d-]+(?:\.(?:browser|process|slow))?\.test\.ts$/;
    assert.deepEqual(
      all.filter((file) => !name.test(basename(file))),
      [],
    );
  });

  test('support modules have no top-level await, unless shards load them before the test files', () => {
    const loaded = ['test/support/mail.ts', 'test/support/routes.ts'];
    const program = 'test/support/processes/cheap-service.ts';
    const awaiting = globSync('test/support/**/*.ts').filter((file) =>
      /^(?:(?:export )?const .*= )?await /m.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(awaiting.sort(), [...loaded, program].sort());
    const shard = readFileSync('test/support/runner/shard.ts', 'utf8');
    for (const file of loaded) assert.ok(shard.includes(`import '../${basename(file)}'`), file);
  });

  test('test files run on PostgreSQL in the second suite when the first leaves their PostgreSQL half out', () => {
    const later = findTestFiles('describeOnEachEngine(');
    assert.notEqual(later.shared.length, 0);
    assert.deepEqual(later.browser, []);
    assert.match(
      packageJson.scripts['test:slow'],
      /--slow && TEST_ENGINES=postgres .* test\/run\.ts --later$/,
    );
  });

  test('test files are each in one suite, and those of shards each in one shard', () => {
    assert.equal(new Set(all).size, all.length);
    for (const [files, shards] of [
      [shared, SHARDS],
      [browser, BROWSER_SHARDS],
    ] as const) {
      const distributed = distribute(files, shards, new Map());
      assert.deepEqual(Object.keys(distributed), shards);
      assert.deepEqual(Object.values(distributed).flat().sort(), files);
    }
    const [first, ...others] = shared;
    const long = distribute(shared, SHARDS, new Map([[first!, 1e9]]));
    assert.deepEqual(long[SHARDS[0]!], [first], `${others.length} files are in the other shards`);
    for (const files of [shared, browser, own, slow]) assert.notEqual(files.length, 0);
  });
});
