import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database.ts';
import { runToEnd } from '../../test/support/processes/process.ts';
import { startService } from '../../test/support/service.ts';
import { isAccessibleToOthers } from '../lib/files.ts';
import { readOrCreateSecretFile, SecretFileError } from './secret-files.ts';

/** A secret that an operator has chosen. */
const OWN_SECRET = 'written-'.repeat(5);

const MODULE = JSON.stringify(join(import.meta.dirname, 'secret-files.ts'));

describe('a secret file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-secrets-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('a secret file is created with 256 random bits for its owner only, and no other file remains', () => {
    const { secret, file, created } = readOrCreateSecretFile(directory, 'secret-key');
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(created, true);
    assert.equal(file, join(directory, 'secret-key'));
    assert.equal(readFileSync(file, 'utf8').trim(), secret);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(directory), ['secret-key']);
  });

  test('a secret file is read if it exists, also if the operator wrote it or made it a symbolic link', () => {
    const { secret } = readOrCreateSecretFile(directory, 'secret-key');
    assert.deepEqual(readOrCreateSecretFile(directory, 'secret-key'), {
      secret,
      file: join(directory, 'secret-key'),
      created: false,
    });
    writeFileSync(join(directory, 'written'), `${OWN_SECRET}\n`, { mode: 0o600 });
    symlinkSync('written', join(directory, 'linked'));
    for (const name of ['written', 'linked'])
      assert.equal(readOrCreateSecretFile(directory, name).secret, OWN_SECRET);
  });

  test('a secret file is read without writing to its directory', () => {
    readOrCreateSecretFile(directory, 'secret-key');
    utimesSync(directory, 1, 1);
    readOrCreateSecretFile(directory, 'secret-key');
    assert.equal(statSync(directory).mtimeMs, 1000, 'no file was created or removed');
  });

  test('a secret file differs from every other secret file', () => {
    assert.notEqual(
      readOrCreateSecretFile(directory, 'one').secret,
      readOrCreateSecretFile(directory, 'other').secret,
    );
  });

  const invalidContents: Record<string, string> = {
    'no bytes': '',
    'an empty line': '\n',
    'a short secret': 'short',
    'zero bytes, as after a power failure': '\0'.repeat(64),
    'two lines': `${OWN_SECRET}\n${OWN_SECRET}\n`,
    'a space inside': `${OWN_SECRET} ${OWN_SECRET}`,
    'letters that cannot be sent in a header': 'ż'.repeat(64),
  };
  for (const [name, content] of Object.entries(invalidContents)) {
    test(`a secret file is rejected by path without its content, and left unchanged if it contains ${name}`, () => {
      const file = join(directory, 'secret-key');
      writeFileSync(file, content, { mode: 0o600 });
      const isClear = ({ message }: Error) =>
        message.startsWith(`${file} does not contain a secret `) && !message.includes(OWN_SECRET);
      assert.throws(() => readOrCreateSecretFile(directory, 'secret-key'), isClear);
      assert.equal(readFileSync(file, 'utf8'), content);
    });
  }

  const otherFileTypes: Record<string, [create: (file: string) => void, reason: string]> = {
    'a directory': [(file) => mkdirSync(file), 'is not a regular file'],
    'a pipe': [(file) => execFileSync('mkfifo', [file]), 'is not a regular file'],
    'a device': [(file) => symlinkSync('/dev/zero', file), 'is not a regular file'],
    'a link to a file that does not exist': [
      (file) => symlinkSync('nowhere', file),
      'is a link to a file that does not exist',
    ],
    'a link to itself': [(file) => symlinkSync('secret-key', file), 'cannot be read: ELOOP'],
  };
  for (const [name, [create, reason]] of Object.entries(otherFileTypes)) {
    test(`a secret file is rejected with its path if it is ${name}`, () => {
      const file = join(directory, 'secret-key');
      create(file);
      assert.throws(
        () => readOrCreateSecretFile(directory, 'secret-key'),
        new SecretFileError(`${file} ${reason}`),
      );
      assert.deepEqual(readdirSync(directory), ['secret-key']);
    });
  }

  test('a secret file is used with a warning in the log if other users can read it', async (context) => {
    const testDatabase = await openTestDatabase(context, 'sqlite');
    const options = { testDatabase, environment: { ADMIN_TOKEN: '' } };
    const warnings = async () => {
      const { log, stop } = await startService('sqlite', options);
      await stop();
      return log.map(({ msg }) => String(msg)).filter((message) => message.includes('0600'));
    };
    assert.deepEqual(await warnings(), []);
    const files = ['secret-key', 'admin-token'].map((name) => join(testDatabase.directory, name));
    for (const file of files) chmodSync(file, 0o644);
    const names = (await warnings()).map((warning) => warning.split(' ')[0]);
    assert.deepEqual(names, files);
  });

  test('a secret file may be accessible to its owner, or to root and one group that can only read it', () => {
    const [root, user] = [0, 1000];
    for (const mode of [0o400, 0o600, 0o700])
      assert.equal(isAccessibleToOthers({ mode, uid: user }, user), false);
    for (const mode of [0o640, 0o620, 0o604, 0o644]) {
      assert.equal(isAccessibleToOthers({ mode, uid: user }, user), true);
      assert.equal(isAccessibleToOthers({ mode, uid: root }, root), true);
    }
    for (const mode of [0o440, 0o640]) assert.equal(isAccessibleToOthers({ mode, uid: root }, user), false);
    for (const mode of [0o444, 0o660]) assert.equal(isAccessibleToOthers({ mode, uid: root }, user), true);
  });

  test('a secret file that cannot be created is rejected with its path and the settings, and no draft remains', () => {
    const { file } = readOrCreateSecretFile(directory, 'a-file');
    assert.throws(() => readOrCreateSecretFile(file, 'secret-key'), {
      message: `${file}/secret-key cannot be read: ENOTDIR`,
    });
    const program = `import { readOrCreateSecretFile } from ${MODULE};
      try { readOrCreateSecretFile(${JSON.stringify(directory)}, 'secret-key') } catch (error) { console.log(error.message) }`;
    // A file size limit of 0 makes writes fail as on a full disk.
    const limited = ['-c', 'ulimit -f 0 && exec "$@"', 'sh', process.execPath];
    const output = execFileSync('sh', [...limited, '--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    const problem = /^(.*) cannot be created: EFBIG \(DATA_DIR, or set SECRET_KEY\)\n$/.exec(output)?.[1];
    assert.equal(problem, join(directory, 'secret-key'), output);
    assert.deepEqual(readdirSync(directory), ['a-file']);
  });

  test('a secret file is not changed by a draft that a crashed process with the same id left behind', () => {
    const { secret, file } = readOrCreateSecretFile(directory, 'secret-key');
    linkSync(file, `${file}.${process.pid}`);
    assert.equal(readOrCreateSecretFile(directory, 'secret-key').secret, secret);
  });

  test('a secret file is the same for several processes that create it at the same time', async () => {
    const program = `import { readOrCreateSecretFile } from ${MODULE};
      const { secret, created } = readOrCreateSecretFile(${JSON.stringify(directory)}, 'secret-key');
      console.log(created + ' ' + secret);`;
    const start = () => runToEnd(['--input-type=module', '--eval', program]);
    const endings = await Promise.all([start(), start(), start(), start()]);
    const results = endings.map(({ lines }) => lines[0]!.split(' '));
    assert.equal(new Set(results.map(([, secret]) => secret)).size, 1);
    assert.equal(results.filter(([created]) => created === 'true').length, 1);
  });
});
