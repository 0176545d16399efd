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
import { createTestDatabase } from '../test/support/engines.ts';
import { runToEnd } from '../test/support/process.ts';
import { startService } from '../test/support/service.ts';
import { isExposed, SecretFileError, secretFile } from './secret-files.ts';

/** By an operator. */
const WRITTEN = 'written-'.repeat(5);

const MODULE = JSON.stringify(join(import.meta.dirname, 'secret-files.ts'));

describe('a secret file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'frontdesk-secrets-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('is made of 256 random bits for the owner only, and is the only file that stays', () => {
    const { secret, file, created } = secretFile(directory, 'secret-key');
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(created, true);
    assert.equal(file, join(directory, 'secret-key'));
    assert.equal(readFileSync(file, 'utf8').trim(), secret);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(directory), ['secret-key']);
  });

  test('is read the next time, also when the operator wrote it or linked to it', () => {
    const { secret } = secretFile(directory, 'made');
    assert.deepEqual(secretFile(directory, 'made'), {
      secret,
      file: join(directory, 'made'),
      created: false,
    });
    writeFileSync(join(directory, 'written'), `${WRITTEN}\n`, { mode: 0o600 });
    symlinkSync('written', join(directory, 'linked'));
    for (const name of ['written', 'linked']) assert.equal(secretFile(directory, name).secret, WRITTEN);
  });

  test('that is there needs a folder that can be read, no more', () => {
    secretFile(directory, 'secret-key');
    utimesSync(directory, 1, 1);
    secretFile(directory, 'secret-key');
    assert.equal(statSync(directory).mtimeMs, 1000, 'nothing was made or removed in it');
  });

  test('differs from every other', () => {
    assert.notEqual(secretFile(directory, 'one').secret, secretFile(directory, 'other').secret);
  });

  const noSecrets: Record<string, string> = {
    nothing: '',
    'an empty line': '\n',
    'too little': 'short',
    'what a power cut leaves': '\0'.repeat(64),
    'two lines': `${WRITTEN}\n${WRITTEN}\n`,
    'spaces in between': `${WRITTEN} ${WRITTEN}`,
    'letters that a header cannot hold': 'ż'.repeat(64),
  };
  for (const [name, content] of Object.entries(noSecrets)) {
    test(`that holds ${name} is refused by name, not repeated, and left as it is`, () => {
      const file = join(directory, 'secret-key');
      writeFileSync(file, content, { mode: 0o600 });
      const isClear = ({ message }: Error) =>
        message.startsWith(`${file} does not hold a secret `) && !message.includes(WRITTEN);
      assert.throws(() => secretFile(directory, 'secret-key'), isClear);
      assert.equal(readFileSync(file, 'utf8'), content);
    });
  }

  const others: Record<string, [make: (file: string) => void, complaint: string]> = {
    'a folder': [(file) => mkdirSync(file), 'is not a regular file'],
    'a pipe': [(file) => execFileSync('mkfifo', [file]), 'is not a regular file'],
    'a device': [(file) => symlinkSync('/dev/zero', file), 'is not a regular file'],
    'a link to nothing': [(file) => symlinkSync('nowhere', file), 'is a link to a file that is not there'],
    'a link to itself': [(file) => symlinkSync('secret-key', file), 'cannot be read: ELOOP'],
  };
  for (const [name, [make, complaint]] of Object.entries(others)) {
    test(`cannot be ${name}, which is refused by name`, () => {
      const file = join(directory, 'secret-key');
      make(file);
      assert.throws(() => secretFile(directory, 'secret-key'), new SecretFileError(`${file} ${complaint}`));
      assert.deepEqual(readdirSync(directory), ['secret-key']);
    });
  }

  test('that others can read is used, with a word in the log', async (context) => {
    const testDatabase = await createTestDatabase('sqlite');
    context.after(() => testDatabase.remove());
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

  test('is for its owner, or for root and one group that only reads', () => {
    const [root, user] = [0, 1000];
    for (const mode of [0o400, 0o600, 0o700]) assert.equal(isExposed({ mode, uid: user }, user), false);
    for (const mode of [0o640, 0o620, 0o604, 0o644]) {
      assert.equal(isExposed({ mode, uid: user }, user), true);
      assert.equal(isExposed({ mode, uid: root }, root), true);
    }
    for (const mode of [0o440, 0o640]) assert.equal(isExposed({ mode, uid: root }, user), false);
    for (const mode of [0o444, 0o660]) assert.equal(isExposed({ mode, uid: root }, user), true);
  });

  test('is not made where that fails: the line names the file and the settings, and nothing stays behind', () => {
    const { file } = secretFile(directory, 'a-file');
    assert.throws(() => secretFile(file, 'secret-key'), {
      message: `${file}/secret-key cannot be read: ENOTDIR`,
    });
    const program = `import { secretFile } from ${MODULE};
      try { secretFile(${JSON.stringify(directory)}, 'secret-key') } catch (error) { console.log(error.message) }`;
    // No file may grow: that is how a full disk looks to a write.
    const limited = ['-c', 'ulimit -f 0 && exec "$@"', 'sh', process.execPath];
    const output = execFileSync('sh', [...limited, '--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    const problem = /^(.*) cannot be made: EFBIG \(DATA_DIR, or set SECRET_KEY\)\n$/.exec(output)?.[1];
    assert.equal(problem, join(directory, 'secret-key'), output);
    assert.deepEqual(readdirSync(directory), ['a-file']);
  });

  test('is not touched by the draft that a process with the same id left behind in its crash', () => {
    const { secret, file } = secretFile(directory, 'secret-key');
    linkSync(file, `${file}.${process.pid}`);
    assert.equal(secretFile(directory, 'secret-key').secret, secret);
  });

  test('is the same for processes that make it at once', async () => {
    const program = `import { secretFile } from ${MODULE};
      const { secret, created } = secretFile(${JSON.stringify(directory)}, 'secret-key');
      console.log(created + ' ' + secret);`;
    const start = () => runToEnd(['--input-type=module', '--eval', program]);
    const endings = await Promise.all([start(), start(), start(), start()]);
    const answers = endings.map(({ lines }) => lines[0]!.split(' '));
    assert.equal(new Set(answers.map(([, secret]) => secret)).size, 1);
    assert.equal(answers.filter(([created]) => created === 'true').length, 1);
  });
});
