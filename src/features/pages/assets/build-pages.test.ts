import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createLog } from '../../../lib/log/log.ts';
import { MANIFEST, WEB_DIRECTORIES } from './assets.ts';
import { buildPages } from './build-pages.ts';

describe('a failed build of the pages at the start', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-pages-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** Builds sources without any entry, and returns the log. */
  async function build(bundles: string) {
    const sources = join(directory, 'web');
    mkdirSync(sources);
    writeFileSync(join(sources, 'other.ts'), '');
    const log: Record<string, unknown>[] = [];
    const logger = createLog('info', { write: (line: string) => void log.push(JSON.parse(line)) });
    await buildPages(logger, { sources, bundles });
    return log.map(({ level, msg, err }) => [level, msg, typeof err]);
  }

  test('a failed build of the pages logs an error if there is no earlier build', async () => {
    assert.deepEqual(await build(join(directory, 'dist')), [
      [50, 'the console and the reference could not be built and cannot be shown', 'object'],
    ]);
  });

  test('a failed build of the pages logs a warning if there is an earlier build, which it keeps', async () => {
    const bundles = join(directory, 'dist');
    mkdirSync(bundles);
    const manifest = join(bundles, MANIFEST);
    writeFileSync(manifest, '{}');
    utimesSync(manifest, 1, 1);
    assert.deepEqual(await build(bundles), [
      [40, 'the pages have changed and could not be built: those of the last build are shown', 'object'],
    ]);
    assert.equal(readFileSync(manifest, 'utf8'), '{}');
  });

  test('the build of the pages is not tried and logs nothing if nothing has changed', async () => {
    const log: string[] = [];
    const logger = createLog('info', { write: (line: string) => void log.push(line) });
    await buildPages(logger, { sources: directory, bundles: WEB_DIRECTORIES.bundles });
    assert.deepEqual(log, []);
  });
});
