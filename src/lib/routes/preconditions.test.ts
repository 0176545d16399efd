import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ifMatch, versionETag } from './preconditions.ts';

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
    ['7', false],
    ['W/"7"', false],
    ['"6", *', false],
    ['', false],
  ] as const) {
    test(`ifMatch ${matches ? 'accepts' : 'rejects'} version 7 for If-Match: ${header} (RFC 9110 section 13.1.1)`, () => {
      assert.equal(ifMatch({ 'if-match': header })(7), matches);
    });
  }

  test('ifMatch accepts the ETag of the same version only', () => {
    const isMatch = ifMatch({ 'if-match': versionETag(3) });
    assert.deepEqual([2, 3, 4].map(isMatch), [false, true, false]);
  });
});
