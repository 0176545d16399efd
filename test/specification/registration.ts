/** Every rule of registration: accepted input, and rejected input with its messages. */
import { invalidInput, invalidPayload, registered } from './bodies.ts';
import { type Case, KNOWN } from './case.ts';

const NAME_REQUIRED = 'The name field is required.';
const NAME_TEXT = 'The name field must be a string.';
const NAME_LONG = 'The name field must not be greater than 255 characters.';
const NAME_FORMAT = 'The name field format is invalid.';
const EMAIL_REQUIRED = 'The email field is required.';
const EMAIL_TEXT = 'The email field must be a string.';
const EMAIL_FORMAT = 'The email field format is invalid.';
const EMAIL_INVALID = 'The email field must be a valid email address.';
const EMAIL_LONG = 'The email field must not be greater than 255 characters.';
const PASSWORD_REQUIRED = 'The password field is required.';
const PASSWORD_TEXT = 'The password field must be a string.';
const PASSWORD_SHORT = 'The password field must be at least 8 characters.';
const PASSWORD_FORMAT = 'The password field format is invalid.';
const TAKEN = 'The email has already been taken.';

const request = 'POST /api/register';
const domain = '@example.com';

let users = 0;
const user = (changes: object) => {
  users++;
  return { name: 'Ada', email: `ada-${users}${domain}`, password: 'password', ...changes };
};

const accepts = (what: string, changes: object): Case => ({
  behaviour: `accepts ${what}`,
  request,
  body: user(changes),
  status: 201,
  responseBody: registered,
  responseHeaders: { location: '/api/v1/users/<id>', pragma: 'no-cache' },
});

const rejects = (what: string, changes: object, errors: Readonly<Record<string, string[]>>): Case => ({
  behaviour: `rejects ${what}`,
  request,
  body: user(changes),
  status: 400,
  responseBody: invalidInput(errors),
});

const rejectsBody = (what: string, raw: string): Case => ({
  behaviour: `rejects ${what}`,
  request,
  raw,
  status: 400,
  responseBody: invalidPayload,
});

/** Values that count as missing. */
const blanks = (member: string, message: string): Case[] => [
  rejects(`a missing ${member}`, { [member]: undefined }, { [member]: [message] }),
  rejects(`null as ${member}`, { [member]: null }, { [member]: [message] }),
  rejects(`an empty ${member}`, { [member]: '' }, { [member]: [message] }),
  rejects(`white space as ${member}`, { [member]: ' \t\n         ' }, { [member]: [message] }),
  rejects(`an empty list as ${member}`, { [member]: [] }, { [member]: [message] }),
  rejects(`an empty object as ${member}`, { [member]: {} }, { [member]: [message] }),
];

export const registration: readonly Case[] = [
  accepts('name, email and password alone', {}),
  accepts('a level', { level: 'admin' }),
  accepts('a level of any type', { level: [1, { a: null }] }),
  accepts('unknown members', { age: 7, constructor: 'x', toString: null }),

  ...blanks('name', NAME_REQUIRED),
  rejects('a name that is a number', { name: 123 }, { name: [NAME_TEXT] }),
  rejects('a name that is true', { name: true }, { name: [NAME_TEXT] }),
  rejects('a name that is a list', { name: ['Ada'] }, { name: [NAME_TEXT] }),
  accepts('a name of 1 character', { name: 'A' }),
  accepts('a name of 255 characters', { name: 'x'.repeat(255) }),
  rejects('a name of 256 characters', { name: 'x'.repeat(256) }, { name: [NAME_LONG] }),
  accepts('a name of 255 characters outside the basic plane', { name: '𝒳'.repeat(255) }),
  rejects(
    'a name of 256 characters outside the basic plane',
    { name: '𝒳'.repeat(256) },
    { name: [NAME_LONG] },
  ),
  accepts('a name of 255 characters between spaces', { name: ` ${'x'.repeat(255)} ` }),
  rejects('a name with U+0000', { name: 'a\u0000b' }, { name: [NAME_FORMAT] }),
  rejects('a name with a lone surrogate', { name: 'a\ud83d' }, { name: [NAME_FORMAT] }),

  ...blanks('email', EMAIL_REQUIRED),
  rejects('an email that is a number', { email: 1 }, { email: [EMAIL_TEXT, EMAIL_INVALID] }),
  rejects('an email without @', { email: 'ada' }, { email: [EMAIL_INVALID] }),
  rejects('an email with two @', { email: 'a@b@c' }, { email: [EMAIL_INVALID] }),
  rejects('an email with a space', { email: `a b${domain}` }, { email: [EMAIL_INVALID] }),
  rejects('an email with a line break', { email: `a\r\nb${domain}` }, { email: [EMAIL_INVALID] }),
  rejects('an email with U+0000', { email: `a\u0000b${domain}` }, { email: [EMAIL_FORMAT, EMAIL_INVALID] }),
  accepts('an email of 255 characters', { email: 'x'.repeat(255 - domain.length) + domain }),
  rejects(
    'an email of 256 characters',
    { email: 'x'.repeat(256 - domain.length) + domain },
    { email: [EMAIL_LONG] },
  ),
  rejects(
    '256 characters that are not an email',
    { email: 'x'.repeat(256) },
    { email: [EMAIL_INVALID, EMAIL_LONG] },
  ),

  ...blanks('password', PASSWORD_REQUIRED),
  rejects('a password that is a number', { password: 12345678 }, { password: [PASSWORD_TEXT] }),
  rejects(
    'a short password that is a number',
    { password: 1234567 },
    { password: [PASSWORD_TEXT, PASSWORD_SHORT] },
  ),
  rejects('a password of 7 characters', { password: '1234567' }, { password: [PASSWORD_SHORT] }),
  accepts('a password of 8 characters', { password: '12345678' }),
  accepts('a password of 8 emoji', { password: '🔑'.repeat(8) }),
  rejects('a password of 7 emoji', { password: '🔑'.repeat(7) }, { password: [PASSWORD_SHORT] }),
  rejects(
    'a password with a lone surrogate',
    { password: 'password\ud83d' },
    { password: [PASSWORD_FORMAT] },
  ),

  {
    behaviour: 'rejects the email of another user in capital letters',
    request,
    body: { ...KNOWN, email: ` ${KNOWN.email.toUpperCase()}` },
    status: 409,
    responseBody: { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } },
  },
  rejects(
    'an empty name without a check whether the email is taken',
    { email: KNOWN.email, name: '' },
    {
      name: [NAME_REQUIRED],
    },
  ),

  rejects(
    'two invalid members with one message each',
    { name: '', password: 'short' },
    { name: [NAME_REQUIRED], password: [PASSWORD_SHORT] },
  ),
  rejects(
    'three invalid members with one message each',
    { name: null, email: null, password: null },
    {
      name: [NAME_REQUIRED],
      email: [EMAIL_REQUIRED],
      password: [PASSWORD_REQUIRED],
    },
  ),

  rejectsBody('a body that is not JSON', '{'),
  rejectsBody('an empty body', ''),
  rejectsBody('a body that is a list', '[]'),
  rejectsBody('a body that is a string', '"name"'),
  rejectsBody('a body that is a number', '1'),
  rejectsBody('a body that is null', 'null'),
  rejectsBody('a body with a duplicate member', '{"name":"a","name":"b"}'),
  rejectsBody('a body with a member __proto__', '{"name":"a","__proto__":{}}'),
];
