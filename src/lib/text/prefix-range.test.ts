import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compareBytes, endOfPrefix } from './search-text.ts';

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

test('compareBytes orders characters beyond U+FFFF after all others', () => {
  assert.deepEqual(['\u{10000}', '\uffff', 'é', 'z'].sort(compareBytes), ['z', 'é', '\uffff', '\u{10000}']);
});
