import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { useService } from '../../../test/support/service.ts';
import { errorsOf, person, required, rules, valid } from '../../../test/support/validation.ts';
import { Problem } from '../../problems.ts';
import type { JsonSchema } from '../json-schema.ts';
import { createValidator } from './validation.ts';

const validate = (schema: JsonSchema, body: unknown) => createValidator(schema)(body);

describe('a body', () => {
  test('that is no object is not a payload', () => {
    for (const body of [undefined, null, [], [valid], 'text', 1, true]) {
      assert.throws(() => validate(person, body), { code: 'invalid_payload', status: 400 });
    }
  });

  test('has all messages of all members in the order of the schema, and the count in the summary', () => {
    const summaries: [body: object, text: string][] = [
      [{}, 'The name field is required. (and 2 more errors)'],
      [{ name: 'Ada' }, 'The email field is required. (and 1 more error)'],
      [{ ...valid, password: '' }, 'The password field is required.'],
      [{ ...valid, email: 5 }, 'The email field must be a string. (and 1 more error)'],
    ];
    for (const [body, text] of summaries) assert.throws(() => validate(person, body), { text });
    assert.deepEqual(Object.keys(errorsOf(person, { password: '' }) as object), [
      'name',
      'email',
      'password',
    ]);
  });

  test('loses what the schema does not name or says to ignore', () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, level: { 'x-ignored': true } },
    } as const satisfies JsonSchema;
    const body = {
      name: 'Ada',
      level: { admin: true },
      id: 1,
      toString: 2,
      constructor: 3,
      hasOwnProperty: 4,
    };
    assert.deepEqual(validate(schema, body), { name: 'Ada' });
  });

  test('does not inherit its members', () => {
    assert.deepEqual(errorsOf(person, Object.create(valid)), {
      name: [required('name')],
      email: [required('email')],
      password: [required('password')],
    });
    const schema = {
      type: 'object',
      required: ['constructor'],
      properties: { toString: { type: 'string' }, constructor: { type: 'string' } },
    } as const satisfies JsonSchema;
    assert.deepEqual(errorsOf(schema, {}), { constructor: [required('constructor')] });
  });

  test('may leave out what is optional, set null where null is a value, and not empty what has to be filled', () => {
    const schema = {
      type: 'object',
      properties: {
        level: { type: ['string', 'null'], maxLength: 3 },
        name: { type: 'string', 'x-filled': true },
        state: { type: 'string', enum: ['on', 'off'] },
        version: { type: 'integer' },
      },
    } as const satisfies JsonSchema;
    assert.deepEqual(validate(schema, {}), {});
    assert.deepEqual(validate(schema, { level: null, state: null }), { level: null });
    assert.deepEqual(validate(schema, { level: ' ', state: 'on', version: -0 }), {
      level: null,
      state: 'on',
      version: -0,
    });
    assert.deepEqual(errorsOf(schema, { name: null, state: 'up', version: 1.5, level: 'four' }), {
      level: rules('level', 'must not be greater than 3 characters.'),
      name: [required('name')],
      state: ['The selected state is invalid.'],
      version: rules('version', 'must be an integer.'),
    });
    for (const version of ['1', true, 2 ** 53, [1]]) {
      assert.deepEqual(errorsOf(schema, { version }), { version: rules('version', 'must be an integer.') });
    }
  });

  test('an empty list or object fills nothing that is required, and is of the wrong type elsewhere', () => {
    const optional = {
      type: 'object',
      properties: { level: { type: ['string', 'null'] }, version: { type: 'integer' } },
    } as const satisfies JsonSchema;
    for (const empty of [[], {}]) {
      assert.deepEqual(errorsOf(person, { ...valid, name: empty }), { name: [required('name')] });
      assert.deepEqual(errorsOf(optional, { level: empty, version: empty }), {
        level: rules('level', 'must be a string.'),
        version: rules('version', 'must be an integer.'),
      });
    }
  });

  test('is valid or refused with a message for each of its details, whatever it holds', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...Object.values(valid)),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('name', 'email', 'password', 'x'), value), (body) => {
        try {
          for (const [name, text] of Object.entries(validate(person, body))) {
            assert.ok(typeof text === 'string' && text.isWellFormed() && name in valid);
          }
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
          const { errors, details = [] } = error.options;
          const messages = Object.entries(errors as Record<string, string[]>);
          const flat = messages.flatMap(([name, texts]) =>
            texts.map((detail) => ({ pointer: `#/${name}`, detail })),
          );
          assert.deepEqual(details, flat);
          assert.ok(details.length > 0);
        }
      }),
    );
  });
});

describe('a refused registration', () => {
  const service = useService('sqlite');

  test('says per member what is wrong, in one body for people and programs', async () => {
    const { status, body } = await service.api.post('/api/register', { email: 'ada', password: 12345678 });
    assert.equal(status, 400);
    const message = 'The name field is required. (and 2 more errors)';
    assert.deepEqual(body, {
      error: message,
      code: 'validation_failed',
      message,
      errors: {
        name: [required('name')],
        email: rules('email', 'must be a valid email address.'),
        password: rules('password', 'must be a string.'),
      },
    });
  });
});
