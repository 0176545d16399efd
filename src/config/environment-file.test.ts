import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { readConfig } from '../config.ts';
import { describeConfigError, readEnvironment } from './environment-file.ts';
import { ConfigError } from './read-settings.ts';

describe('the file .env', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-environment-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const write = (text: string) => writeFileSync(join(directory, '.env'), text);

  test('.env adds settings to those of the environment, which take precedence, also if they are empty', () => {
    write('# the service\nPORT=4000\nexport HOST="0.0.0.0"\nPUBLIC_URL=https://a.example\nCONSOLE=off\n');
    const read = readEnvironment(directory, { PORT: '5000', PUBLIC_URL: '' });
    const { port, host, publicUrl, console } = readConfig(read.variables);
    assert.deepEqual([port, host, publicUrl, console], [5000, '0.0.0.0', '', false]);
    assert.deepEqual([read.file, read.fileExists], [join(directory, '.env'), true]);
    assert.deepEqual([...read.namesFromFile].sort(), ['CONSOLE', 'HOST']);
  });

  test('.env may begin with a byte order mark', () => {
    write('\uFEFFPORT=4000\n');
    assert.deepEqual(readEnvironment(directory, {}).fileNames, ['PORT']);
  });

  test('.env does not change the environment of the process', () => {
    write('FRONTDESK_TEST_VARIABLE=1\n');
    const variables = {};
    assert.equal(readEnvironment(directory, variables).variables.FRONTDESK_TEST_VARIABLE, '1');
    assert.deepEqual(variables, {});
  });

  test('.env may be missing', () => {
    const { variables, fileExists, namesFromFile } = readEnvironment(directory, { PORT: '1' });
    assert.deepEqual([variables, fileExists, namesFromFile.size], [{ PORT: '1' }, false, 0]);
  });

  test('a .env that cannot be read is an error with its path, because its settings would silently not apply', () => {
    mkdirSync(join(directory, '.env'));
    assert.throws(() => readEnvironment(directory, {}), {
      name: 'ConfigError',
      message: `${join(directory, '.env')} cannot be read: EISDIR`,
    });
  });

  test('.env is named in the message about a value that it has, and not about one of the environment', () => {
    write('PORT=many\nDATABASE_POOL=few\n');
    const environment = readEnvironment(directory, { DATABASE_POOL: '0' });
    const port = describeConfigError(new ConfigError('PORT', 'is wrong'), environment);
    assert.equal(port, `PORT is wrong (in ${join(directory, '.env')})`);
    assert.equal(
      describeConfigError(new ConfigError('DATABASE_POOL', 'is wrong'), environment),
      'DATABASE_POOL is wrong',
    );
    assert.equal(describeConfigError(new ConfigError('PORT', 'is wrong'), undefined), 'PORT is wrong');
  });
});
