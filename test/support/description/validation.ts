/** A schema for bodies, and the messages of its validation. */
import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/lib/schema/json-schema.ts';
import { createValidator } from '../../../src/lib/schema/validator.ts';
import { Problem } from '../../../src/problems/problem.ts';

export const person = {
  type: 'object',
  required: ['name', 'email', 'password'],
  properties: {
    name: { type: 'string', maxLength: 255, pattern: '^[^\\x00]*$', 'x-trim': true },
    email: { type: 'string', format: 'email', maxLength: 255, 'x-trim': true },
    password: { type: 'string', format: 'password', minLength: 8, 'x-maxBytes': 4096 },
  },
} as const satisfies JsonSchema;
export const valid = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };

/** Returns the messages of the error response by member, or none. */
export function getErrors(schema: JsonSchema, body: unknown): unknown {
  try {
    createValidator(schema)(body);
    return {};
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.deepEqual([error.code, error.status], ['validation_failed', 400]);
    return error.options.errors;
  }
}

export const required = (member: string) => `The ${member} field is required.`;
export const rules = (member: string, ...texts: string[]) =>
  texts.map((text) => `The ${member} field ${text}`);
