import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normalizeName } from './normalize.ts';
import { endOfPrefix, toPattern, toSearchText, toTrigrams } from './search-text.ts';

const listTrigrams = (text: string) => {
  const characters = Array.from(text);
  return new Set(characters.slice(2).map((_, index) => characters.slice(index, index + 3).join('')));
};

const name = fc
  .array(
    fc.constantFrom('ann', 'lee', ' ', '-', "o'", 'é', 'ß', '王', '가', 'ひ', '😀', '\u0001', '1', '"'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => normalizeName(parts.join('')));
const email = fc.stringMatching(/^[ab.]{1,6}@[ab]{1,3}\.[ab]{1,3}$/);
const matchesSearch = (nameKey: string | null, emailKey: string | null, term: string) =>
  toSearchText(nameKey, emailKey).includes(toPattern(term));
const keys = fc.tuple(fc.option(name), fc.option(email));

describe('toPattern', () => {
  const matching: [string | null, string | null, string[], string[]][] = [
    [null, null, [], ['a', 'ann']],
    ['ann lee', null, ['a', 'an', 'ann', 'nn lee', 'l', 'le', 'n l', ' l'], ['n', 'nn', 'e', 'annlee']],
    [
      null,
      'ann.lee@mail.example.org',
      ['lee@', 'xample.o', 'ma', '@m', 'o', '@', '.', 'l'],
      ['x', 'rg', 'eemail'],
    ],
    ["o'neil", 'x@y.z', ["o'", 'n', "'n", 'y', '@y'], ['e', 'ei']],
    [normalizeName('王偉明'), null, ['王', '偉', '偉明', '王偉明'], ['明王']],
    [normalizeName('김철수'), null, ['김', '철수', '수'].map(normalizeName), [normalizeName('박')]],
    [normalizeName('やまだ'), null, ['ま', 'まだ'].map(normalizeName), []],
    ['हिन्दी', null, ['हि', 'न्दी'], ['दी']],
    ['ann', 'lee@example.org', [], ['ann lee', 'nnlee']],
  ];
  for (const [nameKey, emailKey, found, others] of matching) {
    test(`toPattern finds parts of ${nameKey} and ${emailKey}, and one or two characters where words begin`, () => {
      for (const term of found) assert.ok(matchesSearch(nameKey, emailKey, term), term);
      for (const term of others) assert.ok(!matchesSearch(nameKey, emailKey, term), term);
    });
  }

  test('toPattern finds every part of three characters and more', () => {
    const part = fc.tuple(name, fc.nat(), fc.integer({ min: 3, max: 12 }));
    fc.assert(
      fc.property(part, ([key, from, length]) => {
        const characters = Array.from(key);
        const start = from % Math.max(1, characters.length - 2);
        const term = characters.slice(start, start + length).join('');
        assert.ok(Array.from(term).length < 3 || matchesSearch(key, null, term));
      }),
    );
  });
});

describe('toTrigrams', () => {
  test('toTrigrams returns trigrams of the texts of all users who match', () => {
    let matches = 0;
    const term = fc.oneof(name, email, fc.constantFrom('a', 'nn', "'", '@a', '王'));
    fc.assert(
      fc.property(keys, term, ([nameKey, emailKey], given) => {
        if (given === '' || !matchesSearch(nameKey, emailKey, given)) return;
        matches++;
        const present = listTrigrams(toSearchText(nameKey, emailKey));
        for (const trigram of toTrigrams(given)) assert.ok(present.has(trigram), JSON.stringify(trigram));
      }),
      { numRuns: 5_000, seed: 1 },
    );
    assert.ok(matches > 100, `${matches} matches`);
  });

  const terms: [string, number][] = [
    ['@', 0],
    ['--', 0],
    ['a', 1],
    ['ab', 2],
    ['abc', 1],
    ['abcd', 2],
    ['😀😀😀😀', 1],
    ['abcdefghijklmnopqrstuvwxyz0123456789', 32],
  ];
  for (const [term, count] of terms) {
    test(`toTrigrams returns ${count} trigrams of the term ${term}`, () => {
      const found = toTrigrams(term);
      assert.equal(found.length, count);
      for (const trigram of found) assert.equal(Array.from(trigram).length, 3);
    });
  }
});

/** Both sides of every place where the orders of UTF-8 and UTF-16 or the rule for the last character differ. */
const edges = [
  'a',
  '\u007f',
  '\u0080',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10fffe}',
  '\u{10ffff}',
];
const text = fc.string({ unit: fc.constantFrom(...edges), maxLength: 5 });
const toBytes = (value: string) => Buffer.from(value);

describe('endOfPrefix', () => {
  test('endOfPrefix returns the next character after the last one, skipping surrogates', () => {
    assert.equal(endOfPrefix('ada'), 'adb');
    assert.equal(endOfPrefix('a\ud7ff'), 'a\ue000');
    assert.equal(endOfPrefix('a\uffff'), 'a\u{10000}');
    assert.equal(endOfPrefix('a\u{10ffff}\u{10ffff}'), 'b');
  });

  test('endOfPrefix separates texts with the prefix from all others in the order of their bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...edges), minLength: 1, maxLength: 3 }),
        text,
        (prefix, other) => {
          for (const value of [other, prefix + other]) {
            const isBetween =
              Buffer.compare(toBytes(prefix), toBytes(value)) <= 0 &&
              Buffer.compare(toBytes(value), toBytes(endOfPrefix(prefix))) < 0;
            assert.equal(isBetween, value.startsWith(prefix), JSON.stringify([prefix, value]));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
