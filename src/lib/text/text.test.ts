import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { countCodePoints, formatCount, guardFormula, isStorable, unguardFormula } from './text.ts';

test('a count has its noun in the plural unless there is one', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => formatCount(count, 'message')),
    ['0 messages', '1 message', '2 messages'],
  );
});

/** Arbitrary UTF-16, with paired and lone surrogates. */
const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 }));
const anyUtf16 = fc.array(unit).map((units) => String.fromCharCode(...units));

describe('texts', () => {
  test('the length of a text is its number of code points, where a lone surrogate is one', () => {
    fc.assert(
      fc.property(anyUtf16, (text) => assert.equal(countCodePoints(text), [...text].length)),
      { numRuns: 1_000 },
    );
  });

  test('a text is storable when UTF-8 preserves it and it contains no U+0000', () => {
    const survives = (text: string) => Buffer.from(text, 'utf8').toString('utf8') === text;
    fc.assert(
      fc.property(anyUtf16, (text) => assert.equal(isStorable(text), survives(text) && !/\0/.test(text))),
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

const FORMULAS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const BLANKS = ['\t', '\r', '\n'];
/** After these, a cell begins for a program that does not heed the quotation marks around the value. */
const SEPARATORS = [';', ...BLANKS];

describe('values in files for spreadsheets', () => {
  for (const start of [...FORMULAS, ...BLANKS]) {
    test(`spreadsheet values that begin with ${JSON.stringify(start)} get an apostrophe, also after apostrophes`, () => {
      assert.equal(guardFormula(`${start}1`), `'${start}1`);
      assert.equal(guardFormula(`'${start}1`), `''${start}1`);
      assert.equal(guardFormula(`a${start}`), `a${start}`);
    });
  }

  test('spreadsheet values are unchanged if no formula begins in them', () => {
    for (const value of [
      '',
      'Ada',
      "'",
      "'s",
      "''",
      '1+1',
      ' =1',
      "O'Neil",
      'a; b',
      'a\n\nb',
      'a\r\nb',
      'a,-b',
    ]) {
      assert.equal(guardFormula(value), value);
      assert.equal(unguardFormula(value), value);
    }
  });

  test('spreadsheet values are the same after the removal of the apostrophes, whatever they are, and have no formula', () => {
    const begin = fc.string({
      unit: fc.constantFrom("'", '"', 'a', ...FORMULAS, ...SEPARATORS),
      maxLength: 12,
    });
    const values = fc.tuple(begin, anyText()).map((parts) => parts.join(''));
    fc.assert(
      fc.property(values, (value) => {
        const guarded = guardFormula(value);
        assert.equal(unguardFormula(guarded), value);
        assert.ok(!BLANKS.includes(guarded[0] ?? ''));
        for (const cell of guarded.split(/[;\t\r\n]/))
          assert.ok(!FORMULAS.includes(cell.replace(/^"*/, '')[0] ?? ''), guarded);
      }),
      { numRuns: 1_000 },
    );
  });
});
