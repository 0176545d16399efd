import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { normalizeName } from './normalize.ts';

const text = fc.string({ unit: fc.oneof(fc.constantFrom(...'ΑΣςσİIıß\u0307\u0323\u0301e ')), maxLength: 12 });
const anyName = fc.oneof(text, anyText({ maxLength: 12 }));

describe('normalizeName', () => {
  const equal: [string, string][] = [
    ['  Ada  ', 'ada'],
    ['ÉLODIE', 'e\u0301lodie'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['Ｆｕｌｌ', 'full'],
    ['Größe', 'GROSSE'],
    ['Søren Łukasz', 'soren lukasz'],
    ['\u00a0Ada\u2003 Lovelace', 'ada lovelace'],
    ['Йорг', 'йорг'],
  ];
  const different: [string, string][] = [
    ['が', 'か'],
    ['कि', 'का'],
  ];
  for (const [one, other] of equal) {
    test(`normalizeName has one form for ${one.trim()} and ${other}`, () => {
      assert.equal(normalizeName(one), normalizeName(other));
    });
  }

  for (const [one, other] of different) {
    test(`normalizeName has different forms for ${one} and ${other}`, () => {
      assert.notEqual(normalizeName(one), normalizeName(other));
    });
  }

  test('normalizeName returns at most 255 characters', () => {
    assert.equal(normalizeName('ﷺ'.repeat(255)).length, 255);
  });

  test('normalizeName finds Greek names by each start that ends with a sigma', () => {
    for (const [name, start] of [
      ['ΣΙΣΥΦΟΣ', 'ΣΙΣ'],
      ['Σίσυφος', 'σίσ'],
    ] as const) {
      assert.ok(normalizeName(name).startsWith(normalizeName(start)), start);
    }
  });

  test('normalizeName returns its own results unchanged', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const key = normalizeName(name);
        assert.equal(normalizeName(key), key);
      }),
    );
  });
});
