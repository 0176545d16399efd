import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ifMatch, isNotModified, versionETag } from './preconditions.ts';

describe('ifMatch', () => {
  test('ifMatch accepts every version without an If-Match header', () => {
    assert.equal(ifMatch({})(7), true);
  });

  for (const [header, matches] of [
    ['"7"', true],
    ['"6", "7"', true],
    [' "7" ,"8"', true],
    ['*', true],
    ['"70"', false],
    ['W/"7"', true],
    ['"7-gzip"', true],
    ['"7-br"', true],
    ['"7-zstd"', true],
    ['"7-deflate"', true],
    ['"7--gzip"', true],
    ['"7;gzip"', true],
    ['W/"7-gzip"', true],
    ['W/"6", "6-br"', false],
    ['"6", *', false],
  ] as const) {
    test(`ifMatch ${matches ? 'accepts' : 'rejects'} version 7 for If-Match: ${header} (RFC 9110 section 13.1.1)`, () => {
      assert.equal(ifMatch({ 'if-match': header })(7), matches);
    });
  }

  for (const header of ['7', '', '""', '"x"', '"7-x"', '"-gzip"', 'w/"7"'])
    test(`ifMatch throws a problem with a text of its own for If-Match: ${header}, when it is evaluated`, () => {
      const isMatch = ifMatch({ 'if-match': header });
      assert.throws(() => isMatch(7), /If-Match has no ETag of a record/);
    });

  for (const [header, expected] of [
    ['"a-gzip"', true],
    ['W/"a"', true],
    ['"b", W/"a;br"', true],
    ['"a-x"', false],
  ] as const)
    test(`isNotModified returns ${expected} for If-None-Match: ${header}`, () => {
      assert.equal(isNotModified({ 'if-none-match': header }, '"a"'), expected);
    });

  test('ifMatch accepts the ETag of the same version only', () => {
    const isMatch = ifMatch({ 'if-match': versionETag(3) });
    assert.deepEqual([2, 3, 4].map(isMatch), [false, true, false]);
  });
});
