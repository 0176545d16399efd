import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { hashSync } from '@node-rs/argon2';
import { pluck } from '../../../test/support/pluck.ts';
import { NO_THREADS } from '../../../test/support/service.ts';
import { PREFIX } from './password-parameters.ts';
import { createPasswords, type PasswordOptions, PasswordsUnavailable } from './passwords.ts';

const CLIENT = { network: 'client', account: null };

const OPTIONS: PasswordOptions = {
  threads: 2,
  queueLimit: 100,
  maxWaitMs: 60_000,
  oldestPrefix: () => PREFIX,
  pepper: null,
};
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

/** Hashing for one client. */
function openPasswords(options: Partial<PasswordOptions> = {}) {
  const passwords = createPasswords({ ...OPTIONS, ...options });
  return {
    hash: (password: string) => passwords.hash(password, CLIENT),
    verify: (password: string, hash: string | null) => passwords.verify(password, hash, CLIENT),
    close: passwords.close,
  };
}

/** Hashing that ends with the suite or test; without threads, but where they are tested. */
function usePasswords(options: Partial<PasswordOptions> = {}) {
  const passwords = openPasswords(options);
  after(() => passwords.close());
  return passwords;
}

describe('password hashing', () => {
  const passwords = usePasswords({ pool: NO_THREADS });
  const peppered = usePasswords({ pool: NO_THREADS, pepper: 'a pepper' });

  test('password hashing returns argon2id with 19 MiB, two passes, a salt of 16 bytes and a tag of 32 bytes', async () => {
    const [one, two] = await Promise.all([passwords.hash('same password'), passwords.hash('same password')]);
    assert.match(one, PHC);
    assert.match(two, PHC);
    assert.notEqual(one, two);
  });

  test('password hashing verifies the password of a hash and rejects every other password', async () => {
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
    assert.deepEqual(pluck(results, 'matches'), [true, false, false, false, false, false]);
    assert.ok(results.every(({ outdated }) => !outdated));
  });

  test('password hashing treats composed and decomposed letters as equal, but not letters that only look alike', async () => {
    const hash = await passwords.hash('caf\u00e9 cr\u00e8me');
    assert.equal((await passwords.verify('cafe\u0301 cre\u0300me', hash)).matches, true);
    assert.equal((await passwords.verify('cafe creme', hash)).matches, false);
    // NFKC turns the ligature into two letters; NFC does not.
    const ligature = await passwords.hash('\ufb01sh and chips');
    assert.equal((await passwords.verify('fish and chips', ligature)).matches, false);
  });

  test('password hashing does not truncate: passwords that differ in the last of 4096 characters do not match', async () => {
    const long = 'x'.repeat(4_095);
    const hash = await passwords.hash(`${long}a`);
    assert.equal((await passwords.verify(`${long}a`, hash)).matches, true);
    for (const other of [`${long}b`, `${long}ab`])
      assert.equal((await passwords.verify(other, hash)).matches, false);
  });

  test('password hashing matches no password when there is no hash', async () => {
    for (const password of ['', 'nobody', 'nobody has this!', 'password']) {
      assert.partialDeepStrictEqual(await passwords.verify(password, null), {
        matches: false,
        outdated: false,
      });
    }
  });

  const prefixes = [
    '$argon2id$v=19$m=8,t=1,p=1$',
    '$argon2i$v=16$m=64,t=3,p=4$',
    '$argon2d$v=19$m=1024,t=1,p=2$',
  ];
  for (const prefix of prefixes) {
    test(`password hashing computes a whole hash with the oldest parameters when there is no hash: ${prefix}`, async () => {
      const old = usePasswords({ pool: NO_THREADS, oldestPrefix: () => prefix });
      assert.partialDeepStrictEqual(await old.verify('nobody', null), { matches: false, outdated: false });
    });
  }

  test('password hashing creates hashes that match with the same pepper only', async () => {
    const hash = await peppered.hash('peppered password');
    const other = usePasswords({ pool: NO_THREADS, pepper: 'another pepper' });
    assert.equal((await peppered.verify('peppered password', hash)).matches, true);
    assert.equal((await other.verify('peppered password', hash)).matches, false);
    assert.equal((await passwords.verify('peppered password', hash)).matches, false);
  });

  test('password hashing verifies a hash with other parameters and reports it as outdated', async () => {
    const older = hashSync('old password', { algorithm: 2, memoryCost: 4_096, timeCost: 1, parallelism: 1 });
    assert.partialDeepStrictEqual(await passwords.verify('old password', older), {
      matches: true,
      outdated: true,
    });
    assert.partialDeepStrictEqual(await passwords.verify('new password', older), {
      matches: false,
      outdated: true,
    });
  });

  test('password hashing rejects a text that is no hash and verifies the next password', async () => {
    await assert.rejects(passwords.verify('a password', 'not a hash'), Error);
    assert.equal((await passwords.verify('a password', await passwords.hash('a password'))).matches, true);
  });
});

describe('queue of the hashing threads', () => {
  test('the password queue rejects passwords beyond its limit, hashes the queued ones, and then accepts more', async () => {
    const passwords = usePasswords({ threads: 1, queueLimit: 2 });
    const jobs = ['one', 'two', 'three', 'four', 'five'].map((password) => passwords.hash(password));
    const outcomes = await Promise.allSettled(jobs);
    assert.deepEqual(pluck(outcomes, 'status'), [
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    for (const outcome of outcomes.slice(3)) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof PasswordsUnavailable);
    }
    assert.match(await passwords.hash('six'), PHC);
  });

  test('the password queue rejects queued, running and later passwords when it is closed', async () => {
    const passwords = openPasswords({ threads: 1 });
    await passwords.hash('the thread has started');
    const unfinished = ['running', 'waiting'].map((password) => passwords.hash(password));
    const rejections = unfinished.map((job) => assert.rejects(job, PasswordsUnavailable));
    await passwords.close();
    await Promise.all([...rejections, assert.rejects(passwords.hash('late'), PasswordsUnavailable)]);
  });
});
