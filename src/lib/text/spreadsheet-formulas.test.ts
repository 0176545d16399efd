import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { guardFormula, unguardFormula } from './spreadsheet-formulas.ts';

const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

describe('values in files for spreadsheets', () => {
  for (const start of STARTS) {
    test(`spreadsheet values that begin with ${JSON.stringify(start)} get an apostrophe, also after apostrophes`, () => {
      assert.equal(guardFormula(`${start}1`), `'${start}1`);
      assert.equal(guardFormula(`'${start}1`), `''${start}1`);
      assert.equal(guardFormula(`a${start}`), `a${start}`);
    });
  }

  test('spreadsheet values are unchanged if no formula begins with them', () => {
    for (const value of ['', 'Ada', "'", "'s", "''", '1+1', ' =1', "O'Neil"]) {
      assert.equal(guardFormula(value), value);
      assert.equal(unguardFormula(value), value);
    }
  });

  test('spreadsheet values are the same after the removal of the apostrophe, whatever they are', () => {
    const begin = fc.string({ unit: fc.constantFrom("'", ...STARTS), maxLength: 4 });
    const values = fc.tuple(begin, anyText()).map((parts) => parts.join(''));
    fc.assert(
      fc.property(values, (value) => {
        assert.equal(unguardFormula(guardFormula(value)), value);
        assert.ok(!STARTS.includes(guardFormula(value)[0] ?? ''));
      }),
    );
  });
});
