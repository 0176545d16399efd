import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isEmailAddress, normalizeEmail } from './email-address.ts';

const label63 = 'a'.repeat(63);

describe('e-mail addresses', () => {
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
    test(`accept ${address.slice(0, 40)}`, () => assert.equal(isEmailAddress(address), true));
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
    test(`reject ${JSON.stringify(address).slice(0, 45)}`, () =>
      assert.equal(isEmailAddress(address), false));
  }

  test('accept every address in common use', () => {
    fc.assert(fc.property(fc.emailAddress(), (address) => isEmailAddress(address)));
  });

  test('accept only texts with one @ and visible ASCII', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1.@-_+ \n\u0000é<>"'), maxLength: 12 });
    fc.assert(
      fc.property(text, (candidate) => {
        if (isEmailAddress(candidate))
          assert.match(candidate, /^[\x21-\x3f\x41-\x7e]+@[A-Za-z0-9.-]+$(?!\n)/);
      }),
      { numRuns: 5_000 },
    );
  });

  test('have one normal form regardless of case and surrounding space', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const normalized = normalizeEmail(address);
        assert.equal(normalizeEmail(normalized), normalized);
        assert.equal(normalizeEmail(`  ${address.toUpperCase()}\t\n`), normalized);
        assert.equal(normalized, address.toLowerCase());
      }),
    );
  });

  test('have one normal form for composed and decomposed letters', () => {
    assert.equal(normalizeEmail('RENE\u0301@example.com'), normalizeEmail('ren\u00e9@example.com'));
  });
});
