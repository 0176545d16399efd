import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv, type SchemaObject } from 'ajv';
import fc from 'fast-check';
import { getErrors, required, rules } from '../../../test/support/description/validation.ts';
import { Problem } from '../../problems/problem.ts';
import { isLocale } from '../text/locale.ts';
import type { JsonSchema } from './json-schema.ts';
import { createValidator } from './validator.ts';

const INVALID = 'is invalid.';
const item = { type: 'object', required: ['label'], properties: { label: { type: 'string' } } };

/** A rule for a member for each keyword, a value that breaks it, and its message. */
const cases: readonly [rule: SchemaObject, value: unknown, message: string][] = [
  [{ type: 'string' }, 5, 'must be a string.'],
  [{ type: 'integer' }, 1.5, 'must be an integer.'],
  [{ type: 'number' }, 'a', 'must be a number.'],
  [{ type: 'boolean' }, 'a', 'must be true or false.'],
  [{ type: 'array' }, 'a', 'must be a list.'],
  [{ type: 'object' }, 'a', 'must be an object.'],
  [{ type: 'string', pattern: '^b' }, 'a', 'format is invalid.'],
  [{ type: 'string', format: 'email' }, 'a', 'must be a valid email address.'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'must not be greater than 1 characters.'],
  [{ type: 'string', minLength: 2 }, 'a', 'must be at least 2 characters.'],
  [{ type: 'string', 'x-maxBytes': 1 }, 'ab', 'must not be greater than 1 bytes.'],
  [
    { type: 'string', 'x-locale': true },
    'de_DE',
    'must be a language tag in canonical form, such as de or pt-BR.',
  ],
  [{ type: 'array', maxItems: 1 }, [1, 2], 'must not have more than 1 items.'],
  [{ type: 'array', minItems: 2 }, [1], 'must have at least 2 items.'],
  [{ type: 'integer', maximum: 1 }, 2, 'must not be greater than 1.'],
  [{ type: 'number', maximum: 1 }, 1.5, 'must not be greater than 1.'],
  [{ type: 'integer', minimum: 1 }, 0, 'must be at least 1.'],
  [{ type: 'number', minimum: 1 }, 0.5, 'must be at least 1.'],
  [{ type: 'integer', exclusiveMaximum: 1 }, 1, INVALID],
  [{ type: 'integer', exclusiveMinimum: 1 }, 1, INVALID],
  [{ type: 'integer', multipleOf: 2 }, 3, INVALID],
  [{ const: 'a' }, 'b', INVALID],
  [{ type: 'array', uniqueItems: true }, [1, 1], INVALID],
  [{ type: 'array', contains: { const: 2 } }, [1], INVALID],
  [{ type: 'array', items: item }, [{}], INVALID],
  [{ type: 'array', items: { type: 'integer', maximum: 1 } }, [2], 'must not be greater than 1.'],
  [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, INVALID],
  [{ type: 'object', minProperties: 2 }, { a: 1 }, INVALID],
  [{ type: 'object', additionalProperties: false }, { a: 1 }, INVALID],
  [{ type: 'object', propertyNames: { const: 'b' } }, { a: 1 }, INVALID],
  [{ type: 'object', properties: { a: { const: 2 } } }, { a: 1 }, INVALID],
  [{ type: 'object', patternProperties: { a: { const: 2 } } }, { a: 1 }, INVALID],
  [{ type: 'object', dependencies: { a: ['b'] } }, { a: 1 }, INVALID],
  [item, { text: 'a' }, INVALID],
  [{ allOf: [{ const: 'b' }] }, 'a', INVALID],
  [{ anyOf: [{ const: 'b' }] }, 'a', INVALID],
  [{ oneOf: [{ const: 'a' }, { const: 'a' }] }, 'a', INVALID],
  [{ not: { const: 'a' } }, 'a', INVALID],
  [{ if: { const: 'b' }, else: { const: 'b' } }, 'a', INVALID],
];

const withMember = (name: string, rule: unknown) =>
  ({ type: 'object', properties: { [name]: rule } }) as unknown as JsonSchema;

describe('validation by each keyword', () => {
  for (const [rule, value, message] of cases) {
    test(`validation rejects ${JSON.stringify(value)} under ${JSON.stringify(rule)} with a message for the member`, () => {
      assert.deepEqual(getErrors(withMember('a/b~c', rule), { 'a/b~c': value }), {
        'a/b~c': rules('a/b~c', message),
      });
    });
  }

  test('validation rejects a value that an enum does not contain with a message that names the member', () => {
    assert.deepEqual(getErrors(withMember('state', { enum: ['on'] }), { state: 'off' }), {
      state: ['The selected state is invalid.'],
    });
  });

  test('validation rejects a member that another one requires as missing', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } } as const;
    const schema = { type: 'object', properties, dependencies: { a: ['b'] } } as unknown as JsonSchema;
    assert.deepEqual(getErrors(schema, { a: 'x' }), { b: [required('b')] });
  });

  test('validation rejects a body that breaks only a rule of the whole body with invalid_payload', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } } as const;
    const schema = { type: 'object', properties, minProperties: 1 } as unknown as JsonSchema;
    assert.throws(() => createValidator(schema)({}), { code: 'invalid_payload', status: 400 });
  });

  test('validation rejects every value that Ajv rejects, whatever the rules are', () => {
    // Blank values count as absent, and exact integers are a rule beside Ajv.
    const value = fc.oneof(fc.integer(), fc.constantFrom('a', 'ab', 'abc'), fc.array(fc.integer({ max: 3 })));
    const rule = fc.constantFrom(...cases.map(([each]) => each));
    fc.assert(
      fc.property(rule, rule, value, (first, second, given) => {
        const member = { allOf: [first, second] };
        const isValid = independent.validate(withMember('m', member) as SchemaObject, { m: given });
        assert.equal(isAccepted(withMember('m', member), { m: given }), isValid);
      }),
    );
  });
});

const independent = new Ajv({ strict: false, ownProperties: true, formats: { email: /@/ } });
independent.addKeyword({
  keyword: 'x-maxBytes',
  type: 'string',
  validate: (max: number, text: string) => text.length <= max,
});
independent.addKeyword({
  keyword: 'x-locale',
  type: 'string',
  validate: (_: true, text: string) => isLocale(text),
});

function isAccepted(schema: JsonSchema, body: object): boolean {
  try {
    createValidator(schema)(body);
    return true;
  } catch (error) {
    assert.ok(error instanceof Problem && error.text.includes('The m field'), String(error));
    return false;
  }
}
