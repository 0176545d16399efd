import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { guardFormula, unguardFormula } from './text.ts';

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

  for (const separator of SEPARATORS)
    test(`spreadsheet values with a formula after ${JSON.stringify(separator)} get an apostrophe there`, () => {
      for (const formula of FORMULAS) {
        assert.equal(guardFormula(`Eve${separator}${formula}1`), `Eve${separator}'${formula}1`);
        assert.equal(guardFormula(`Eve${separator}"${formula}1"`), `Eve${separator}"'${formula}1"`);
        assert.equal(guardFormula(`Eve${separator}'${formula}1`), `Eve${separator}''${formula}1`);
      }
    });

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
