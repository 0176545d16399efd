import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount } from './text.ts';

test('a count has its noun in the plural unless there is one', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => formatCount(count, 'message')),
    ['0 messages', '1 message', '2 messages'],
  );
});
