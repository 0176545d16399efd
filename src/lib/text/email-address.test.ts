import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isEmailAddress, normalizeEmail } from './normalize.ts';

const label63 = 'a'.repeat(63);

describe('email addresses', () => {
  const valid = [
    'a@b',
    'ada@example.com',
    'ADA.Lovelace+notes@Example.COM',
    "!#$%&'*+/=?^_`{|}~-@example.com",
    '.dots..anywhere.@example.com',
    '1@2.3',
    `${'a'.repeat(200)}@example.com`,
    `a@${label63}.${label63}`,
    'a@xn--bcher-kva.example',
    'a@b-c.d--e',
  ];
  for (const address of valid) {
    test(`isEmailAddress accepts ${address.slice(0, 40)}`, () => assert.equal(isEmailAddress(address), true));
  }

  const invalid = [
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'a@b@c',
    'a b@example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: x@example.com',
    'ada@exam\u0000ple.com',
    'ada@.example.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    `a@${label63}a`,
    'ädä@example.com',
    'ada@exämple.com',
    '"ada"@example.com',
    'ada@[127.0.0.1]',
    'Ada <ada@example.com>',
    'ada@example.com,bob@example.com',
  ];
  for (const address of invalid) {
    test(`isEmailAddress rejects ${JSON.stringify(address).slice(0, 45)}`, () =>
      assert.equal(isEmailAddress(address), false));
  }

  test('isEmailAddress accepts every address in common use', () => {
    fc.assert(fc.property(fc.emailAddress(), (address) => isEmailAddress(address)));
  });

  test('email addresses with a second @, or a character that is not allowed in any position, are rejected', () => {
    const character = fc.constantFrom(...'@ \n\t\u0000\u00e9<>()"\\,:;[]\u{1f600}');
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        character,
        (address, at, bad) => {
          const index = Math.floor(at * (address.length + 1));
          assert.equal(isEmailAddress(address.slice(0, index) + bad + address.slice(index)), false);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('email addresses have one normal form regardless of case and surrounding space', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const normalized = normalizeEmail(address);
        assert.equal(normalizeEmail(normalized), normalized);
        assert.equal(normalizeEmail(`  ${address.toUpperCase()}\t\n`), normalized);
        assert.equal(normalized, address.toLowerCase());
      }),
    );
  });

  test('email addresses have one normal form for composed and decomposed letters', () => {
    assert.equal(normalizeEmail('RENE\u0301@example.com'), normalizeEmail('ren\u00e9@example.com'));
  });
});
