import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normalizeName } from './names.ts';
import { toSearchWords, toWordPrefixes } from './search-words.ts';

describe('toSearchWords', () => {
  const words: [string | null, string | null, string[]][] = [
    [null, null, []],
    ['ada', null, []],
    ['grace brewster hopper', null, ['brewster hopper', 'hopper']],
    ["(o'neil)", null, ["o'neil)", 'neil)']],
    [null, 'ann.lee@example.org', ['@example.org', 'lee@example.org']],
    [null, 'ann@mail.example.co.uk', ['@mail.example.co.uk', 'example.co.uk', 'co.uk']],
    [null, 'ann@localhost', ['@localhost']],
    ['ann lee@x', 'lee@x', ['lee@x', 'x', '@x']],
    ['हिन्दी कवि', null, ['कवि']],
  ];
  for (const [name, email, expected] of words) {
    test(`toSearchWords returns ${expected.length} words of the name ${name} and the email ${email}`, () => {
      assert.deepEqual(toSearchWords(name, email), expected);
    });
  }

  test('toSearchWords returns at most 16 words of at most 64 characters of a name', () => {
    const found = toSearchWords('😀a '.repeat(85).trim(), null);
    assert.equal(found.length, 1, 'all of them are equal up to the last character that is stored');
    const numbers = Array.from({ length: 60 }, (_, index) => index).join(' ');
    assert.equal(toSearchWords(numbers, null).length, 16);
    for (const word of found) assert.equal(Array.from(word).length, 64);
  });

  test('toSearchWords returns words that begin with each normalized start of a later word', () => {
    const part = fc.stringMatching(/^[a-zéßøΣİ가0-9]{1,6}$/);
    const name = fc.array(part, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(name, fc.nat(), fc.integer({ min: 1, max: 6 }), (parts, chosen, length) => {
        const from = 1 + (chosen % (parts.length - 1));
        const [first] = toWordPrefixes(normalizeName(parts[from]!.slice(0, length)));
        const found = toSearchWords(normalizeName(parts.join(' ')), null);
        assert.ok(
          found.some((word) => word.startsWith(first!)),
          JSON.stringify([found, first]),
        );
      }),
    );
  });
});
