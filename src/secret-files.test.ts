import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { runToEnd } from '../test/support/process.ts';
import { secretFile } from './secret-files.ts';

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

  test('is read the next time, also when the operator wrote it', () => {
    const { secret } = secretFile(directory, 'made');
    assert.deepEqual(secretFile(directory, 'made'), {
      secret,
      file: join(directory, 'made'),
      created: false,
    });
    writeFileSync(join(directory, 'written'), `${'s'.repeat(40)}\n`);
    assert.equal(secretFile(directory, 'written').secret, 's'.repeat(40));
  });

  test('differs from every other', () => {
    assert.notEqual(secretFile(directory, 'one').secret, secretFile(directory, 'other').secret);
  });

  test('that holds too little for a secret is refused by name, and left as it is', () => {
    const file = join(directory, 'secret-key');
    for (const content of ['', '\n', 'short']) {
      writeFileSync(file, content);
      assert.throws(() => secretFile(directory, 'secret-key'), new RegExp(`${file} does not hold a secret`));
      assert.equal(readFileSync(file, 'utf8'), content);
    }
  });

  test('cannot be made where nothing can be written', () => {
    const { file } = secretFile(directory, 'a-file');
    assert.throws(() => secretFile(file, 'secret-key'), { code: 'ENOTDIR' });
    mkdirSync(join(directory, 'a-folder'));
    assert.throws(() => secretFile(directory, 'a-folder'), { code: 'EISDIR' });
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
