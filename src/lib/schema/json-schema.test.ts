import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema, SchemaValue } from './json-schema.ts';

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', 'x-trim': true },
    level: { type: ['string', 'null'] },
    state: { type: 'string', enum: ['active', 'disabled'] },
  },
} as const satisfies JsonSchema;

// The compiler is the judge: an `@ts-expect-error` above a line without an error is an error.
test('the type of a value has the members that its schema names, with their types', () => {
  const value: SchemaValue<typeof schema> = { name: 'Ada', level: null, state: 'active' };
  const name: string = value.name;
  // @ts-expect-error: optional members may be undefined.
  const level: string | null = value.level;
  // @ts-expect-error: values outside of an enumeration are errors.
  const state: 'active' | undefined = value.state;
  // @ts-expect-error: members that the schema does not name are errors.
  const other: unknown = value.other;
  assert.deepEqual([name, level, state, other], ['Ada', null, 'active', undefined]);
});

test('the type of a value requires the required members of its schema', () => {
  // @ts-expect-error: `name` is required.
  const value: SchemaValue<typeof schema> = {};
  assert.deepEqual(value, {});
});

test('the type of a value without a schema is unknown', () => {
  const value: SchemaValue<undefined> = 1;
  // @ts-expect-error: nothing is known of it.
  const number: number = value;
  assert.equal(number, 1);
});
