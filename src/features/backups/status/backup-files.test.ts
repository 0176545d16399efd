import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR } from '../../../lib/time.ts';
import { nameBackup } from './backup-events.ts';
import { type BackupFile, findFreeName, findSuperseded, noteReport } from './backup-files.ts';

/** What happens in a round of a service: a file is made or not, verified or not, and reports may be lost by a kill. */
const round = fc.record({
  outcome: fc.constantFrom('verified', 'failed drill', 'stopped', 'killed before the report', 'not made'),
  /** By which the clock is set, also back. */
  hours: fc.integer({ min: -3, max: 3 }),
  /** Another database has a file of this time in the directory. */
  foreignHour: fc.option(fc.integer({ min: -3, max: 3 })),
  /** The operator deletes one of the files. */
  deleted: fc.option(fc.nat()),
  keep: fc.integer({ min: 1, max: 3 }),
  verifies: fc.boolean(),
});

test('no sequence of failures, restarts, changes of the clock and foreign files deletes the newest verified backup, nor a foreign file', () => {
  fc.assert(
    fc.property(fc.array(round, { maxLength: 30 }), (rounds) => {
      /** Names of files with what made each. */
      const directory = new Map<string, string>();
      let files: readonly BackupFile[] = [];
      let now = Date.UTC(2026, 0, 1);
      for (const [number, { outcome, hours, foreignHour, deleted, keep, verifies }] of rounds.entries()) {
        now += hours * HOUR;
        if (foreignHour !== null) {
          const name = nameBackup(now + foreignHour * HOUR, false);
          if (!files.some(({ file }) => file === name) && !directory.has(name))
            directory.set(name, 'foreign');
        }
        if (deleted !== null) directory.delete([...directory.keys()][deleted % directory.size] ?? '');
        const foreign = [...directory].filter(([, maker]) => maker === 'foreign');
        const file = findFreeName(directory, { now, isEncrypted: false });
        if (outcome !== 'not made') directory.set(file, `round ${number}`);
        if (!['not made', 'killed before the report'].includes(outcome))
          files = noteReport(files, { file, state: 'created' });
        if (outcome === 'verified') files = noteReport(files, { file, state: 'verified' });
        if (outcome.startsWith('failed') || outcome === 'not made')
          files = noteReport(files, { file, state: 'failed' });
        const present = files.filter((each) => directory.has(each.file));
        const newest = present.findLast(({ state }) => state === 'verified');
        const content = newest && directory.get(newest.file);
        const superseded = findSuperseded(present, { keep, verifies });
        for (const each of superseded) directory.delete(each.file);
        files = files.filter((each) => !superseded.includes(each));
        assert.equal(newest && directory.get(newest.file), content);
        for (const [name, maker] of foreign) assert.equal(directory.get(name), maker);
        const rest = present.filter((each) => directory.has(each.file));
        assert.ok(rest.filter(({ state }) => state === 'failed').length <= 1);
        const since = rest.slice(rest.findLastIndex(({ state }) => state === 'verified') + 1);
        assert.ok(rest.length - since.length <= keep + 1, 'a verified backup supersedes those before it');
      }
    }),
    { numRuns: 500 },
  );
});
