import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getErrors, person, required, rules, valid } from '../../../test/support/description/validation.ts';
import type { JsonSchema } from './json-schema.ts';
import { createValidator } from './validator.ts';

const validate = (schema: JsonSchema, body: unknown) => createValidator(schema)(body);

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
