import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countCodePoints, isStorable } from './text.ts';

/** Arbitrary UTF-16, with paired and lone surrogates. */
const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 }));
const anyText = fc.array(unit).map((units) => String.fromCharCode(...units));

describe('texts', () => {
  test('the length of a text is its number of code points, where a lone surrogate is one', () => {
    fc.assert(
      fc.property(anyText, (text) => assert.equal(countCodePoints(text), [...text].length)),
      { numRuns: 1_000 },
    );
  });

  test('a text counts an emoji as one character, and a letter with a combining accent as two', () => {
    assert.equal(countCodePoints(''), 0);
    assert.equal(countCodePoints('😀😀'), 2);
    assert.equal(countCodePoints('e\u0301'), 2);
    assert.equal(countCodePoints('\ud83d'), 1);
    assert.equal(countCodePoints('\ude00\ud83d'), 2);
    assert.equal(countCodePoints('a\ud83d😀'), 3);
  });

  test('a text is storable when UTF-8 preserves it and it contains no U+0000', () => {
    const survives = (text: string) => Buffer.from(text, 'utf8').toString('utf8') === text;
    fc.assert(
      fc.property(anyText, (text) => assert.equal(isStorable(text), survives(text) && !/\0/.test(text))),
      { numRuns: 1_000 },
    );
  });

  test('a text is not storable with U+0000 or a lone surrogate in any position', () => {
    for (const bad of ['\u0000', '\ud83d', '\ude00', '\ude00\ud83d']) {
      for (const text of [bad, `${bad}a`, `a${bad}`, `a${bad}a`]) assert.equal(isStorable(text), false);
    }
    for (const good of ['', 'a', '\u0001', '\ufeff', '\uffff', '😀']) assert.equal(isStorable(good), true);
  });
});
