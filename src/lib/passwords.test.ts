import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { hashSync } from '@node-rs/argon2';
import { createPasswords, type PasswordOptions, PasswordsUnavailable } from './passwords.ts';

const OPTIONS: PasswordOptions = { threads: 2, queueLimit: 100, pepper: null };
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

function usePasswords(options: Partial<PasswordOptions> = {}) {
  const passwords = createPasswords({ ...OPTIONS, ...options });
  after(() => passwords.close());
  return passwords;
}

describe('passwords', () => {
  const passwords = usePasswords();
  const peppered = usePasswords({ pepper: 'a pepper' });

  test('a hash is argon2id with 19 MiB, two passes, 16 bytes of salt and 32 of tag', async () => {
    const [one, two] = await Promise.all([passwords.hash('same password'), passwords.hash('same password')]);
    assert.match(one, PHC);
    assert.match(two, PHC);
    assert.notEqual(one, two);
  });

  test('the password of a hash matches, every other does not', async () => {
    const hash = await passwords.hash('Correct horse');
    const candidates = [
      'Correct horse',
      'correct horse',
      'Correct horse ',
      ' Correct horse',
      'Correct hors',
      '',
    ];
    const results = await Promise.all(candidates.map((candidate) => passwords.verify(candidate, hash)));
    assert.deepEqual(
      results.map(({ matches }) => matches),
      [true, false, false, false, false, false],
    );
    assert.ok(results.every(({ outdated }) => !outdated));
  });

  test('composed and decomposed letters are one password, letters that only look alike are not', async () => {
    const hash = await passwords.hash('caf\u00e9 cr\u00e8me');
    assert.equal((await passwords.verify('cafe\u0301 cre\u0300me', hash)).matches, true);
    assert.equal((await passwords.verify('cafe creme', hash)).matches, false);
    // NFKC would make the ligature two letters; NFC must not.
    const ligature = await passwords.hash('\ufb01sh and chips');
    assert.equal((await passwords.verify('fish and chips', ligature)).matches, false);
  });

  test('nothing is cut off: passwords that differ in their last character of 4096 differ', async () => {
    const long = 'x'.repeat(4_095);
    const hash = await passwords.hash(`${long}a`);
    assert.equal((await passwords.verify(`${long}a`, hash)).matches, true);
    assert.equal((await passwords.verify(`${long}b`, hash)).matches, false);
  });

  test('without a hash no password matches', async () => {
    for (const password of ['', 'nobody', 'nobody has this!', 'password']) {
      assert.deepEqual(await passwords.verify(password, null), { matches: false, outdated: false });
    }
  });

  test('a hash depends on the pepper', async () => {
    const hash = await peppered.hash('peppered password');
    const other = usePasswords({ pepper: 'another pepper' });
    assert.equal((await peppered.verify('peppered password', hash)).matches, true);
    assert.equal((await other.verify('peppered password', hash)).matches, false);
    assert.equal((await passwords.verify('peppered password', hash)).matches, false);
  });

  test('a hash by other parameters still matches, and is called outdated', async () => {
    const older = hashSync('old password', { algorithm: 2, memoryCost: 4_096, timeCost: 1, parallelism: 1 });
    assert.deepEqual(await passwords.verify('old password', older), { matches: true, outdated: true });
    assert.deepEqual(await passwords.verify('new password', older), { matches: false, outdated: true });
  });

  test('something that is no hash fails, and the thread goes on', async () => {
    await assert.rejects(passwords.verify('a password', 'not a hash'), Error);
    assert.equal((await passwords.verify('a password', await passwords.hash('a password'))).matches, true);
  });
});

describe('the queue of passwords', () => {
  test('refuses what does not fit, finishes what it took, and then takes more', async () => {
    const passwords = usePasswords({ threads: 1, queueLimit: 2 });
    const jobs = ['one', 'two', 'three', 'four', 'five'].map((password) => passwords.hash(password));
    const outcomes = await Promise.allSettled(jobs);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    for (const outcome of outcomes.slice(3)) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof PasswordsUnavailable);
    }
    assert.match(await passwords.hash('six'), PHC);
  });

  test('answers each caller with the result of its own password', async () => {
    const passwords = usePasswords();
    const words = ['first word', 'second word', 'third word', 'fourth word', 'fifth word', 'sixth word'];
    const hashes = await Promise.all(words.map((word) => passwords.hash(word)));
    const results = await Promise.all(words.map((word, index) => passwords.verify(word, hashes[index]!)));
    assert.ok(results.every(({ matches }) => matches));
  });

  test('refuses what waits, what is under way and what comes later when it is closed', async () => {
    const passwords = createPasswords({ ...OPTIONS, threads: 1 });
    await passwords.hash('the thread has started');
    const unfinished = ['running', 'waiting'].map((password) => passwords.hash(password));
    const refused = unfinished.map((job) => assert.rejects(job, PasswordsUnavailable));
    await passwords.close();
    await Promise.all([...refused, assert.rejects(passwords.hash('late'), PasswordsUnavailable)]);
  });

  test('goes on with another thread when one has ended, at rest or at work', async () => {
    const passwords = usePasswords({ threads: 1 });
    const started = once(process, 'worker') as Promise<[Worker]>;
    await passwords.hash('the thread has started');
    await (await started)[0].terminate();
    const next = once(process, 'worker') as Promise<[Worker]>;
    const lost = assert.rejects(passwords.hash('at work'), PasswordsUnavailable);
    await (await next)[0].terminate();
    await lost;
    assert.match(await passwords.hash('with a third one'), PHC);
  });
});
