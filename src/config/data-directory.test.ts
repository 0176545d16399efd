import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createTestDatabase } from '../../test/support/engines.ts';
import { ADMIN_TOKEN, startService } from '../../test/support/service.ts';
import { ConfigError, readConfig } from '../config.ts';
import { createDataDirectory } from './data-directory.ts';

const SECRET_KEY = 'a-secret-of-more-than-32-characters';

describe('the data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-data-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const make = (dataDir: string, environment: Record<string, string> = {}) =>
    createDataDirectory(readConfig({ ...environment, DATA_DIR: dataDir }));

  test('is made with what leads to it, for its user only; one that is there keeps its mode', () => {
    const nested = join(directory, 'made', 'by', 'us');
    make(nested);
    make(nested);
    for (const made of [nested, join(directory, 'made')])
      assert.equal(statSync(made).mode & 0o777, 0o700 & ~process.umask());
    const { mode } = statSync(tmpdir());
    make(tmpdir());
    assert.equal(statSync(tmpdir()).mode, mode);
  });

  test('may be a link to a folder', () => {
    symlinkSync(tmpdir(), join(directory, 'link'));
    make(join(directory, 'link'));
    assert.deepEqual(readdirSync(directory), ['link']);
  });

  test('that cannot be is refused on one line that names the setting and the place', () => {
    const file = join(directory, 'a-file');
    writeFileSync(file, '');
    const link = join(directory, 'link');
    symlinkSync('nowhere', link);
    const places = {
      [file]: 'EEXIST',
      [link]: 'EEXIST',
      '/proc/foo': 'ENOENT',
      [join(directory, 'a\nb'.repeat(100))]: 'ENAMETOOLONG',
    };
    for (const [place, code] of Object.entries(places)) {
      const line = `DATA_DIR must be a folder that is there or can be made: ${code} at ${JSON.stringify(place)}`;
      assert.throws(
        () => make(place),
        (error) => error instanceof ConfigError && error.message === line,
      );
    }
    for (const place of [file, link, '/proc/foo'])
      assert.throws(() => make(join(place, 'data')), new RegExp(`^ConfigError: DATA_DIR .* at "${place}"$`));
  });

  test('is made for each thing that is kept in it, and not without one', () => {
    const nothing = { DATABASE_URL: 'postgres://db.example.com/x', ADMIN_TOKEN, SECRET_KEY };
    const dataDir = join(directory, 'data');
    make(dataDir, nothing);
    assert.ok(!existsSync(dataDir));
    for (const name of Object.keys(nothing)) {
      make(dataDir, { ...nothing, [name]: '' });
      rmSync(dataDir, { recursive: true });
    }
  });

  test('is not made by a start on PostgreSQL with both secrets set', async (context) => {
    const testDatabase = await createTestDatabase('postgres');
    context.after(() => testDatabase.remove());
    const DATA_DIR = join(directory, 'data');
    const { stop } = await startService('postgres', { testDatabase, environment: { SECRET_KEY, DATA_DIR } });
    await stop();
    assert.ok(!existsSync(DATA_DIR));
  });
});
