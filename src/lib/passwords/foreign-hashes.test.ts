import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { FOREIGN_HASHES } from '../../../test/support/foreign-hashes.ts';
import { toStoredHash, UnsupportedHash } from './foreign-hashes.ts';
import { getHashPrefix, PREFIX, unmatchedHash } from './password-parameters.ts';
import { createPasswords } from './passwords.ts';

const CLIENT = { network: 'client', account: null };

const BCRYPT_REST = 'XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga';
const ARGON2_REST = 'c29tZXNhbHQ$RdescudvJCsgt3ub+b0dWRJJTmaaJObG';

describe('hashes of other services', () => {
  let oldestPrefix = PREFIX;
  const passwords = createPasswords({
    threads: 2,
    queueLimit: 100,
    maxWaitMs: 60_000,
    oldestPrefix: () => oldestPrefix,
    pepper: 'a pepper that the other service did not have',
  });
  after(() => passwords.close());

  for (const { service, password, hash } of FOREIGN_HASHES) {
    test(`hashes of ${service} match their password only, without the pepper, and are outdated`, async () => {
      const stored = toStoredHash(hash, false);
      assert.deepEqual(await passwords.verify(password, stored, CLIENT), { matches: true, outdated: true });
      assert.equal((await passwords.verify(`${password}x`, stored, CLIENT)).matches, false);
      assert.equal(toStoredHash(stored, false), stored, 'an export contains the stored form');
    });

    test(`hashes of ${service} have parameters for unknown accounts, with which no password matches`, async () => {
      const prefix = getHashPrefix(toStoredHash(hash, false))!;
      oldestPrefix = prefix;
      assert.equal((await passwords.verify(password, null, CLIENT)).matches, false);
      const unmatched = unmatchedHash(prefix);
      assert.equal(toStoredHash(unmatched, false), unmatched, 'it is valid, so that it takes as long');
      assert.equal((await passwords.verify('', unmatched, CLIENT)).matches, false);
    });
  }

  test('hashes of better-auth match every form of a password that has the same NFKC form', async () => {
    const { hash } = FOREIGN_HASHES.find(({ service }) => service === 'better-auth')!;
    const stored = toStoredHash(hash, false);
    for (const form of ['fine password', '\uFB01ne password', 'fine pass\uFF57ord'])
      assert.equal((await passwords.verify(form, stored, CLIENT)).matches, true, form);
    const tooLong = '\u0345\uFF9E'.repeat(30_000);
    assert.equal((await passwords.verify(tooLong, stored, CLIENT)).matches, false);
  });

  test('toStoredHash keeps argon2 hashes of our own on request, which then depend on the pepper', async () => {
    const own = await passwords.hash('a password', CLIENT);
    assert.equal(toStoredHash(own, true), own);
    assert.equal((await passwords.verify('a password', toStoredHash(own, false), CLIENT)).matches, false);
  });

  test('foreign hashes of argon2 are accepted up to 64 passes', () => {
    const hash = `$argon2id$v=19$m=16384,t=64,p=16$${ARGON2_REST}`;
    assert.equal(toStoredHash(hash, true), hash);
  });

  const wrong = {
    'a text': 'correct horse battery',
    'bcrypt that costs too much': `$2b$15$${BCRYPT_REST}`,
    'bcrypt of the broken version x': `$2x$10$${BCRYPT_REST}`,
    'bcrypt that costs too little': `$2b$03$${BCRYPT_REST}`,
    'bcrypt that is cut off': `$2b$10$${BCRYPT_REST.slice(1)}`,
    'argon2 with too much memory': `$argon2id$v=19$m=262145,t=1,p=1$${ARGON2_REST}`,
    'argon2 with too many passes': `$argon2id$v=19$m=16,t=65,p=1$${ARGON2_REST}`,
    'argon2 with too many passes of its memory': `$argon2id$v=19$m=65536,t=17,p=1$${ARGON2_REST}`,
    'argon2 with too many lanes': `$argon2id$v=19$m=65536,t=1,p=17$${ARGON2_REST}`,
    'argon2 without memory for its lanes': `$argon2id$v=19$m=8,t=1,p=2$${ARGON2_REST}`,
    'argon2 without a version': `$argon2id$m=65536,t=1,p=1$${ARGON2_REST}`,
    'argon2 with bits beyond its salt':
      '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHR$RdescudvJCsgt3ub+b0dWRJJTmaaJObG',
    'scrypt with a short key': `${'0'.repeat(32)}:${'0'.repeat(126)}`,
    'scrypt with a short salt': `${'0'.repeat(30)}:${'0'.repeat(128)}`,
  };
  for (const [kind, hash] of Object.entries(wrong)) {
    test(`foreign hashes are rejected without their text: ${kind}`, () => {
      assert.throws(
        () => toStoredHash(hash, false),
        (error: Error) => error instanceof UnsupportedHash && !error.message.includes(hash.slice(-20)),
      );
    });
  }
});
