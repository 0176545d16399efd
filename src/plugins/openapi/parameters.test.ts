import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readIdempotencyKey } from '../../idempotency/stored-response.ts';
import { parameterComponents } from './operation.ts';

const matchesSchema = new Ajv2020({ strict: false }).compile(parameterComponents.IdempotencyKey.schema);

function isAccepted(field: string): boolean {
  try {
    readIdempotencyKey([field]);
    return true;
  } catch {
    return false;
  }
}

describe('the OpenAPI schema of the Idempotency-Key header', () => {
  for (const [title, field, expected] of [
    ['accept a bare key of 255 characters', 'k'.repeat(255), true],
    ['reject a bare key of 256 characters', 'k'.repeat(256), false],
    ['accept a quoted key of 255 characters', `"${'k'.repeat(255)}"`, true],
    ['accept a quoted key of 255 escaped characters', `"${'\\"'.repeat(255)}"`, true],
    ['reject a quoted key of 256 characters', `"${'k'.repeat(256)}"`, false],
    ['reject an unknown escape', '"\\n"', false],
    ['reject a space in a bare key', 'order 1', false],
  ] as const) {
    test(`the schema of Idempotency-Key and the service ${title}`, () => {
      assert.deepEqual([matchesSchema(field), isAccepted(field)], [expected, expected]);
    });
  }

  test('the schema of Idempotency-Key accepts exactly the fields that the service accepts', () => {
    const unit = fc.constantFrom('"', '\\', ' ', '!', '#', '[', ']', 'a', '~', '\x7f', '\t', 'é');
    const inside = fc.string({ unit, maxLength: 260, size: 'max' });
    const field = fc.oneof(
      inside,
      fc.string({ unit, maxLength: 6 }),
      inside.map((text) => `"${text}"`),
      fc.string({ unit, maxLength: 6 }).map((text) => `"${text}"`),
    );
    fc.assert(fc.property(field, (text) => matchesSchema(text) === isAccepted(text)));
  });
});
