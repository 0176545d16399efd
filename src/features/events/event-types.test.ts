import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { EVENT_TYPE_NAMES } from './event-types.ts';

const SOURCES = join(import.meta.dirname, '../..');

/** Recorded by earlier releases: they stay in the record. */
const OF_EARLIER_RELEASES = /^credential\.(?:totp|recovery)_/;

describe('types of events', () => {
  test('each type of events is recorded by a module outside the record of events', () => {
    const files = globSync('**/*.ts', {
      cwd: SOURCES,
      exclude: ['**/*.test.ts', 'features/events/**', 'database/**'],
    });
    const sources = files.map((file) => readFileSync(join(SOURCES, file), 'utf8')).join('\n');
    // The last export is recorded by the record itself.
    const recorded = EVENT_TYPE_NAMES.filter((type) => {
      const [kind = '', change = ''] = type.split('.');
      // Changes of records with a version are recorded by what they have in common.
      const isOfRecord = sources.includes(`kind: '${kind}',`) && sources.includes(`.kind}.${change}\``);
      return isOfRecord || sources.includes(`'${type}'`);
    });
    const present = EVENT_TYPE_NAMES.filter((type) => !OF_EARLIER_RELEASES.test(type));
    assert.deepEqual([...recorded, 'events.exported'].sort(), present.toSorted());
  });
});
