import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { getErrors, person, required, rules, valid } from '../../../test/support/description/validation.ts';
import { Problem } from '../../problems/problem.ts';
import type { JsonSchema } from './json-schema.ts';
import { createValidator } from './validator.ts';

const validate = (schema: JsonSchema, body: unknown) => createValidator(schema)(body);

describe('validation of bodies', () => {
  test('validation rejects a body that is not an object with invalid_payload', () => {
    for (const body of [undefined, null, [], [valid], 'text', 1, true]) {
      assert.throws(() => validate(person, body), { code: 'invalid_payload', status: 400 });
    }
  });

  test('validation returns all messages of all members in the order of the schema, and their number in the summary', () => {
    const summaries: [body: object, text: string][] = [
      [{}, 'The name field is required. (and 2 more errors)'],
      [{ name: 'Ada' }, 'The email field is required. (and 1 more error)'],
      [{ ...valid, password: '' }, 'The password field is required.'],
      [{ ...valid, email: 5 }, 'The email field must be a string. (and 1 more error)'],
    ];
    for (const [body, text] of summaries) assert.throws(() => validate(person, body), { text });
    assert.deepEqual(Object.keys(getErrors(person, { password: '' }) as object), [
      'name',
      'email',
      'password',
    ]);
  });

  test('validation drops members that the schema does not name or marks as x-ignored', () => {
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

  test('validation ignores inherited members of a body', () => {
    assert.deepEqual(getErrors(person, Object.create(valid)), {
      name: [required('name')],
      email: [required('email')],
      password: [required('password')],
    });
    const schema = {
      type: 'object',
      required: ['constructor'],
      properties: { toString: { type: 'string' }, constructor: { type: 'string' } },
    } as const satisfies JsonSchema;
    assert.deepEqual(getErrors(schema, {}), { constructor: [required('constructor')] });
  });

  test('validation accepts absent optional members and null where the type allows it, and no blank x-filled members', () => {
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
    assert.deepEqual(getErrors(schema, { name: null, state: 'up', version: 1.5, level: 'four' }), {
      level: rules('level', 'must not be greater than 3 characters.'),
      name: [required('name')],
      state: ['The selected state is invalid.'],
      version: rules('version', 'must be an integer.'),
    });
    for (const version of ['1', true, 2 ** 53, [1]]) {
      assert.deepEqual(getErrors(schema, { version }), { version: rules('version', 'must be an integer.') });
    }
  });

  test('validation rejects blank text in x-notBlank members, which may be absent or null, and does not trim it', () => {
    const schema = {
      type: 'object',
      properties: { password: { type: 'string', 'x-notBlank': true } },
    } as const satisfies JsonSchema;
    for (const body of [{}, { password: null }]) assert.deepEqual(validate(schema, body), {});
    for (const password of ['', ' '.repeat(8)])
      assert.deepEqual(getErrors(schema, { password }), { password: [required('password')] });
    assert.deepEqual(validate(schema, { password: ' a ' }), { password: ' a ' });
  });

  test('validation treats an empty list or object as absent in required members, and as a wrong type in others', () => {
    const optional = {
      type: 'object',
      properties: { level: { type: ['string', 'null'] }, version: { type: 'integer' } },
    } as const satisfies JsonSchema;
    for (const empty of [[], {}]) {
      assert.deepEqual(getErrors(person, { ...valid, name: empty }), { name: [required('name')] });
      assert.deepEqual(getErrors(optional, { level: empty, version: empty }), {
        level: rules('level', 'must be a string.'),
        version: rules('version', 'must be an integer.'),
      });
    }
  });

  test('validation returns well-formed texts or one detail for each message, for any body', () => {
    const value = fc.oneof(fc.jsonValue(), anyText(), fc.constantFrom(...Object.values(valid)));
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

const tooLong = 'must not be greater than 255 characters.';
const longEmail = (length: number) => `${'a'.repeat(length - 12)}@example.com`;

/** The value of one member and its messages. `undefined`: the member is left out. */
const cases: [member: string, title: string, value: unknown, messages: string[]][] = [
  ...['name', 'email', 'password'].flatMap((member): typeof cases => [
    [member, 'a missing value', undefined, [required(member)]],
    [member, 'null', null, [required(member)]],
    [member, 'an empty string', '', [required(member)]],
    [member, 'white space', ' \t\n\u00a0', [required(member)]],
    [member, 'an empty list', [], [required(member)]],
    [member, 'an empty object', {}, [required(member)]],
  ]),
  ['name', '255 characters', 'a'.repeat(255), []],
  ['name', '256 characters', 'a'.repeat(256), rules('name', tooLong)],
  ['name', '255 characters of two code units', '😀'.repeat(255), []],
  ['name', '256 characters of two code units', '😀'.repeat(256), rules('name', tooLong)],
  ['name', '255 characters between spaces', ` ${'a'.repeat(255)} `, []],
  ['name', 'a number', 12, rules('name', 'must be a string.')],
  ['name', 'true', true, rules('name', 'must be a string.')],
  ['name', 'a list of 256', Array(256).fill('a'), rules('name', 'must be a string.', tooLong)],
  ['name', 'U+0000', 'a\u0000b', rules('name', 'format is invalid.')],
  ['name', 'a lone high surrogate', 'a\ud800', rules('name', 'format is invalid.')],
  ['name', 'a lone low surrogate', '\udc00a', rules('name', 'format is invalid.')],
  ['name', 'HTML markup', '<script>alert(1)</script>', []],
  ['email', '255 characters', longEmail(255), []],
  ['email', '256 characters', longEmail(256), rules('email', tooLong)],
  ['email', 'text that is no email address', 'ada', rules('email', 'must be a valid email address.')],
  [
    'email',
    'U+0000 inside',
    'a\u0000b@example.com',
    rules('email', 'format is invalid.', 'must be a valid email address.'),
  ],
  ['email', 'a line break inside', 'ada@example.com\nb', rules('email', 'must be a valid email address.')],
  ['email', 'a value between spaces', ' ada@example.com ', []],
  ['email', 'a number', 5, rules('email', 'must be a string.', 'must be a valid email address.')],
  [
    'email',
    '256 characters that are no email address',
    'a'.repeat(256),
    rules('email', 'must be a valid email address.', tooLong),
  ],
  ['password', '8 characters', '12345678', []],
  ['password', '7 characters', '1234567', rules('password', 'must be at least 8 characters.')],
  ['password', '8 characters of two code units', '😀'.repeat(8), []],
  [
    'password',
    '7 characters of two code units',
    '😀'.repeat(7),
    rules('password', 'must be at least 8 characters.'),
  ],
  ['password', 'a number of 8 digits', 12345678, rules('password', 'must be a string.')],
  ['password', '4096 bytes', 'é'.repeat(2048), []],
  [
    'password',
    '4097 bytes',
    `${'é'.repeat(2048)}a`,
    rules('password', 'must not be greater than 4096 bytes.'),
  ],
  ['password', 'a lone surrogate', `12345678\ud800`, rules('password', 'format is invalid.')],
  ['password', 'a value between spaces', '  123456', []],
];

describe('validation of members', () => {
  for (const [member, title, value, messages] of cases) {
    test(`validation ${messages.length === 0 ? 'accepts' : 'rejects'} ${title} as ${member}`, () => {
      const body = { ...valid, [member]: value };
      assert.deepEqual(getErrors(person, body), messages.length === 0 ? {} : { [member]: messages });
    });
  }

  test('validation trims name and email, but not the password', () => {
    const body = { name: '  Ada ', email: '\tada@example.com\n', password: '  secret  ' };
    assert.deepEqual(validate(person, body), {
      name: 'Ada',
      email: 'ada@example.com',
      password: '  secret  ',
    });
  });
});
