import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readIdempotencyKey } from '../idempotency/key.ts';
import { parameterComponents } from './parameters.ts';

const isDescribed = new Ajv2020({ strict: false }).compile(parameterComponents.IdempotencyKey.schema);

function isAccepted(field: string): boolean {
  try {
    readIdempotencyKey([field]);
    return true;
  } catch {
    return false;
  }
}

describe('the schema of the Idempotency-Key header', () => {
  for (const [title, field, expected] of [
    ['accepts a bare key', 'order-1', true],
    ['accepts a bare key of 255 characters', 'k'.repeat(255), true],
    ['rejects a bare key of 256 characters', 'k'.repeat(256), false],
    ['accepts a quoted key', '"order 1"', true],
    ['accepts a quoted key of 255 characters', `"${'k'.repeat(255)}"`, true],
    ['accepts a quoted key of 255 escaped characters', `"${'\\"'.repeat(255)}"`, true],
    ['rejects a quoted key of 256 characters', `"${'k'.repeat(256)}"`, false],
    ['rejects an empty field', '', false],
    ['rejects an empty quoted key', '""', false],
    ['rejects a quoted key that does not end', '"order', false],
    ['rejects an unknown escape', '"\\n"', false],
    ['rejects a space in a bare key', 'order 1', false],
    ['rejects a character beyond ASCII', 'clé', false],
  ] as const) {
    test(`${title}, as the service does`, () => {
      assert.deepEqual([isDescribed(field), isAccepted(field)], [expected, expected]);
    });
  }

  test('accepts exactly the fields that the service accepts', () => {
    const unit = fc.constantFrom('"', '\\', ' ', '!', '#', '[', ']', 'a', '~', '\x7f', '\t', 'é');
    const inside = fc.string({ unit, maxLength: 260, size: 'max' });
    const field = fc.oneof(
      inside,
      fc.string({ unit, maxLength: 6 }),
      inside.map((text) => `"${text}"`),
      fc.string({ unit, maxLength: 6 }).map((text) => `"${text}"`),
    );
    fc.assert(fc.property(field, (text) => isDescribed(text) === isAccepted(text)));
  });
});
