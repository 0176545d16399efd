import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { hashSync as bcryptSync } from '@node-rs/bcrypt';
import fc from 'fast-check';
import { FOREIGN_HASHES, SOFTWARE_HASHES, UNSUPPORTED_HASHES } from '../../../test/support/foreign-hashes.ts';
import { CHEAP_PARAMETERS, CHEAP_PREFIX, NO_THREADS } from '../../../test/support/service.ts';
import { findKind, type GivenHash, toStoredHash, UnsupportedHash, verifyHash } from './foreign-hashes.ts';
import { createUnmatchableHash, getHashPrefix } from './password-parameters.ts';
import { createPasswords } from './passwords.ts';

const verifyForeign = (stored: string, password: string) =>
  verifyHash(stored, password, () => assert.fail('the hash is our own'));

const CLIENT = { network: 'client', account: null };

const BCRYPT_REST = 'XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga';
const KEY = Buffer.alloc(32, 'key').toString('base64').replace('=', '');
const ARGON2_REST = 'c29tZXNhbHQ$RdescudvJCsgt3ub+b0dWRJJTmaaJObG';

describe('hashes of other services', () => {
  let oldestPrefix = CHEAP_PREFIX;
  const passwords = createPasswords({
    threads: 2,
    queueLimit: 100,
    maxWaitMs: 60_000,
    oldestPrefix: () => oldestPrefix,
    parameters: CHEAP_PARAMETERS,
    pool: NO_THREADS,
    pepper: 'a pepper that the other service did not have',
  });
  after(() => passwords.close());

  for (const { service, password, hash } of FOREIGN_HASHES) {
    test(`hashes of ${service} match their password only, without the pepper, and are outdated`, async () => {
      const stored = toStoredHash({ hash });
      const { matches, outdated } = await passwords.verify(password, stored, CLIENT);
      assert.deepEqual({ matches, outdated }, { matches: true, outdated: true });
      assert.equal((await passwords.verify(`${password}x`, stored, CLIENT)).matches, false);
      assert.equal(toStoredHash({ hash: stored }), stored, 'an export contains the stored form');
    });

    test(`hashes of ${service} have parameters for unknown accounts, with which no password matches`, async () => {
      const prefix = getHashPrefix(toStoredHash({ hash }))!;
      oldestPrefix = prefix;
      assert.equal((await passwords.verify(password, null, CLIENT)).matches, false);
      const unmatched = createUnmatchableHash(prefix);
      assert.equal(toStoredHash({ hash: unmatched }), unmatched, 'it is valid, so that it takes as long');
    });
  }

  for (const { service, password, ...given } of SOFTWARE_HASHES) {
    const stored = toStoredHash(given);
    test(`a hash of ${service} is stored in a form that is kept, and states its cost`, () => {
      assert.equal(toStoredHash({ hash: stored }), stored);
      const prefix = getHashPrefix(stored)!;
      assert.ok(stored.startsWith(prefix));
      assert.ok(stored.length <= 512);
      const unmatched = createUnmatchableHash(prefix);
      assert.equal(toStoredHash({ hash: unmatched }), unmatched);
    });
    // The others are verified in the slow suite: they take long.
    if (/pbkdf2|argon2|scrypt|^s2:|:[0-9a-f]{128}$|\$1[0-4]\$|\$[PS]\$/.test(stored)) continue;
    test(`a hash of ${service} matches its password only`, () => {
      assert.equal(verifyForeign(stored, `${password}!`), false);
      assert.notEqual(verifyForeign(stored, password), false);
    });
  }

  for (const { service, message, ...given } of UNSUPPORTED_HASHES) {
    test(`a hash of ${service} is rejected with what it is: ${message}`, () => {
      assert.throws(() => toStoredHash(given), { name: 'UnsupportedHash', message });
    });
  }

  test('hashes of better-auth match every form of a password that has the same NFKC form', async () => {
    const { hash } = FOREIGN_HASHES.find(({ service }) => service === 'better-auth')!;
    const stored = toStoredHash({ hash });
    for (const form of ['fine password', '\uFB01ne password', 'fine pass\uFF57ord'])
      assert.equal((await passwords.verify(form, stored, CLIENT)).matches, true, form);
    const tooLong = '\u0345\uFF9E'.repeat(30_000);
    assert.equal((await passwords.verify(tooLong, stored, CLIENT)).matches, false);
  });

  test('a hash is replaced only if the password is the stored one beyond doubt', async () => {
    const long = 'x'.repeat(72);
    const stored = bcryptSync(`${long}the rest`, 4);
    for (const [typed, outdated] of [
      [`${long}another rest`, false],
      [long, false],
    ] as const) {
      const verified = await passwords.verify(typed, stored, CLIENT);
      assert.deepEqual({ ...verified, marker: '' }, { matches: true, outdated, marker: '' });
    }
    const short = await passwords.verify(long.slice(1), bcryptSync(long.slice(1), 4), CLIENT);
    assert.equal(short.outdated, true);
  });

  const replaced = {
    'better-auth': {
      stored: FOREIGN_HASHES.find(({ service }) => service === 'better-auth')!.hash,
      forms: ['fine password', '\uFB01ne password', 'fine pass\uFF57ord'],
    },
    WordPress: {
      stored: `$wp${bcryptSync(createHmac('sha384', 'wp-sha384').update(String.raw`it\'s`).digest('base64'), 4)}`,
      forms: ["it's", " it's", "it's\t"],
    },
    'Flask-Security': {
      stored: toStoredHash({
        hash: bcryptSync(createHmac('sha512', 'key').update('fine').digest('base64'), 4),
        prehash: { name: 'hmac-sha512', argument: 'key' },
      }),
      forms: ['fine', '\uFB01ne'],
    },
  };
  for (const [service, { stored, forms }] of Object.entries(replaced)) {
    test(`every text that matches a hash of ${service} matches the hash that replaces it, whichever is typed first`, async () => {
      for (const first of forms) {
        const { matches, outdated, marker } = await passwords.verify(
          first,
          toStoredHash({ hash: stored }),
          CLIENT,
        );
        assert.ok(matches && outdated, first);
        const replacement = await passwords.hash(first, CLIENT, marker);
        for (const form of forms) {
          const again = await passwords.verify(form, replacement, CLIENT);
          assert.deepEqual(again, { matches: true, outdated: false, marker }, form);
        }
        assert.equal((await passwords.verify(`${first}!`, replacement, CLIENT)).matches, false);
        assert.equal(toStoredHash({ hash: replacement, isOwn: true }), replacement, 'an export contains it');
      }
    });
  }

  test('toStoredHash keeps argon2 hashes of our own on request, which then depend on the pepper', async () => {
    const own = await passwords.hash('a password', CLIENT);
    assert.equal(toStoredHash({ hash: own, isOwn: true }), own);
    assert.equal((await passwords.verify('a password', toStoredHash({ hash: own }), CLIENT)).matches, false);
  });

  test('foreign hashes of argon2 are accepted up to 64 passes', () => {
    const hash = `$argon2id$v=19$m=16384,t=64,p=16$${ARGON2_REST}`;
    assert.equal(toStoredHash({ hash, isOwn: true }), hash);
  });

  test('foreign hashes of SHA-crypt and phpass never match passwords whose length makes them slow', async () => {
    for (const name of ['SHA-512-crypt with rounds', 'WordPress']) {
      const { hash } = FOREIGN_HASHES.find(({ service }) => service === name)!;
      const stored = toStoredHash({ hash });
      assert.equal((await passwords.verify('a'.repeat(60_000), stored, CLIENT)).matches, false);
    }
  });

  test('foreign hashes of SHA-crypt match passwords of a multiple of the length of their digest', async () => {
    // By crypt(3) of glibc 2.36.
    const hash = '$5$rounds=1000$saltsalt$j6lPBZEByrGVid4u9qoBM3Wt4jVH4sS3uKcCBQYp7o6';
    const stored = toStoredHash({ hash });
    assert.equal((await passwords.verify('a'.repeat(32), stored, CLIENT)).matches, true);
  });

  test('foreign hashes of bcrypt that WordPress makes are those of an HMAC of the password', async () => {
    const digest = createHmac('sha384', 'wp-sha384').update('a password').digest('base64');
    const stored = toStoredHash({ hash: `$wp${bcryptSync(digest, 4)}` });
    assert.equal((await passwords.verify('a password', stored, CLIENT)).matches, true);
    assert.equal(getHashPrefix(stored), '$wp$2y$04$');
  });

  test('foreign hashes of scrypt with unusual parameters are accepted only if they can be verified', () => {
    for (const [ln, r, p] of [
      [1, 1, 1],
      [1, 64, 1],
      [1, 1, 64],
      [15, 1, 1],
      [4, 64, 64],
    ]) {
      const stored = toStoredHash({ hash: `$scrypt$ln=${ln},r=${r},p=${p}$${KEY}$${KEY}` });
      assert.equal(findKind(stored)!.verify(stored, 'password'), false);
    }
  });

  test('foreign hashes that were changed anywhere are accepted or rejected, and never fail otherwise', () => {
    const change = fc.record({
      given: fc.constantFrom<GivenHash>(...FOREIGN_HASHES, ...SOFTWARE_HASHES),
      start: fc.nat(200),
      length: fc.nat(8),
      inserted: fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom('$', '$$', ',', '=', '0', '9'.repeat(9)),
      ),
    });
    fc.assert(
      fc.property(change, ({ given, start, length, inserted }) => {
        const changed = `${given.hash.slice(0, start)}${inserted}${given.hash.slice(start + length)}`;
        try {
          const stored = toStoredHash({ ...given, hash: changed });
          assert.equal(toStoredHash({ hash: stored }), stored);
          assert.notEqual(getHashPrefix(stored), null);
          assert.ok(stored.length <= 512);
        } catch (error) {
          assert.ok(error instanceof UnsupportedHash, String(error));
        }
      }),
    );
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
    'PBKDF2 with too many iterations': `$pbkdf2-sha256$2000001$${KEY}$${KEY}`,
    'PBKDF2 whose two blocks have too many iterations': `$pbkdf2-sha1$i=1000001,l=32$${KEY}$${KEY}`,
    'PBKDF2 with another length than it states': `$pbkdf2-sha256$i=1000,l=64$${KEY}$${KEY}`,
    'PBKDF2 of another digest': `$pbkdf2-md5$1000$${KEY}$${KEY}`,
    'PBKDF2 of Django with too many iterations': `pbkdf2_sha256$2000001$seasalt$${KEY}=`,
    'PBKDF2 of Django with a key that is no Base64': `pbkdf2_sha256$1000$seasalt$${KEY.slice(1)}`,
    'PBKDF2 of Django with a short key': 'pbkdf2_sha256$1000$seasalt$c2hvcnQga2V5',
    'scrypt with too much memory': `$scrypt$ln=18,r=8,p=1$${KEY}$${KEY}`,
    'scrypt with too much parallelization': `$scrypt$ln=4,r=1,p=65$${KEY}$${KEY}`,
    'scrypt with an N that is too large for its blocks': `$scrypt$ln=16,r=1,p=1$${KEY}$${KEY}`,
    'scrypt with too large blocks': `$scrypt$ln=4,r=65,p=1$${KEY}$${KEY}`,
    'scrypt of Django whose N is no power of two': `scrypt$1000$seasalt$8$5$${KEY}=`,
    'scrypt of Firebase with too much memory': `$fbscrypt$v=1,n=18,r=8,p=1,ss=Bw==,sk=${KEY}=$c2FsdA==$${KEY}=`,
    'scrypt of Firebase without a signer key': `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==$c2FsdA==$${KEY}=`,
    'scrypt of Firebase with a hash of another length': `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${KEY}=$c2FsdA==$c2FsdA==`,
    'phpass with too many iterations': '$P$FIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
    'phpass with too few iterations': '$P$4IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
    'phpass that is cut off': '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L',
    'SHA-256-crypt with too many rounds': `$5$rounds=200001$saltstring$${'.'.repeat(43)}`,
    'SHA-512-crypt with too few rounds': `$6$rounds=999$saltstring$${'.'.repeat(86)}`,
    'SHA-512-crypt with the length of SHA-256-crypt': `$6$saltstring$${'.'.repeat(43)}`,
    'bcrypt of SHA-256 that costs too much': `bcrypt_sha256$$2b$15$${BCRYPT_REST}`,
    'scrypt with a short key': `${'0'.repeat(32)}:${'0'.repeat(126)}`,
    'scrypt with a short salt': `${'0'.repeat(30)}:${'0'.repeat(128)}`,
  };
  for (const [kind, hash] of Object.entries(wrong)) {
    test(`foreign hashes are rejected without their text: ${kind}`, () => {
      assert.throws(
        () => toStoredHash({ hash }),
        (error: Error) => error instanceof UnsupportedHash && !error.message.includes(hash.slice(-20)),
      );
    });
  }
});
