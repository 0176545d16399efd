import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMergePatch, parseObject } from './merge-patch.ts';

test('a merge patch removes, adds, replaces and merges members, and omits unchanged ones', () => {
  const before = { same: 1, gone: 1, list: [1], nested: { a: 1, b: 2 } };
  const after = { same: 1, list: [2], nested: { a: 1, c: 3 }, added: 'x' };
  assert.deepEqual(createMergePatch(before, after), {
    gone: null,
    list: [2],
    nested: { b: null, c: 3 },
    added: 'x',
  });
  assert.deepEqual(createMergePatch(before, before), {});
});

test('only the text of an object is metadata', () => {
  assert.deepEqual(parseObject('{"a":1}'), { a: 1 });
  for (const text of ['', '[]', 'null', '1', '{"a":']) assert.equal(parseObject(text), null, text);
});
