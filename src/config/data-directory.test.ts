import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ADMIN_TOKEN } from '../../test/support/service.ts';
import { ConfigError, readConfig } from '../config.ts';
import { createDataDirectory } from './data-directory.ts';

const SECRET_KEY = 'a-secret-of-more-than-32-characters';

describe('the data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-data-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const create = (dataDir: string, environment: Record<string, string> = {}) =>
    createDataDirectory(readConfig({ ...environment, DATA_DIR: dataDir }));

  test('the data directory is created with its parents for its owner only, and keeps its mode if it exists', () => {
    const nested = join(directory, 'created', 'by', 'us');
    create(nested);
    create(nested);
    for (const created of [nested, join(directory, 'created')])
      assert.equal(statSync(created).mode & 0o777, 0o700 & ~process.umask());
    const { mode } = statSync(tmpdir());
    create(tmpdir());
    assert.equal(statSync(tmpdir()).mode, mode);
  });

  test('the data directory may be a symbolic link to a directory', () => {
    symlinkSync(tmpdir(), join(directory, 'link'));
    create(join(directory, 'link'));
    assert.deepEqual(readdirSync(directory), ['link']);
  });

  test('a data directory that cannot be created is rejected with one line that names the setting and the path', () => {
    const file = join(directory, 'a-file');
    writeFileSync(file, '');
    const link = join(directory, 'link');
    symlinkSync('nowhere', link);
    const paths = {
      [file]: 'EEXIST',
      [link]: 'EEXIST',
      '/proc/foo': 'ENOENT',
      [join(directory, 'a\nb'.repeat(100))]: 'ENAMETOOLONG',
    };
    for (const [path, code] of Object.entries(paths)) {
      const line = `DATA_DIR must be a directory that exists or can be created: ${code} at ${JSON.stringify(path)}`;
      assert.throws(
        () => create(path),
        (error) => error instanceof ConfigError && error.message === line,
      );
    }
    for (const path of [file, link, '/proc/foo'])
      assert.throws(() => create(join(path, 'data')), new RegExp(`^ConfigError: DATA_DIR .* at "${path}"$`));
  });

  test('the data directory is created if the database or a secret is kept in it, and not otherwise', () => {
    const keptElsewhere = { DATABASE_URL: 'postgres://db.example.com/x', ADMIN_TOKEN, SECRET_KEY };
    const dataDir = join(directory, 'data');
    create(dataDir, keptElsewhere);
    assert.ok(!existsSync(dataDir));
    for (const name of Object.keys(keptElsewhere)) {
      create(dataDir, { ...keptElsewhere, [name]: '' });
      rmSync(dataDir, { recursive: true });
    }
  });
});
