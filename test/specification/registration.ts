/** Every rule of registration: which input is refused with which words, and which is not. */
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

let people = 0;
const person = (changes: object) => {
  people++;
  return { name: 'Ada', email: `ada-${people}${domain}`, password: 'password', ...changes };
};

const accepted = (shows: string, changes: object): Case => ({
  shows,
  request,
  body: person(changes),
  status: 201,
  createdResources: registered,
  carries: { location: '/api/v1/users/<id>', pragma: 'no-cache' },
});

const refused = (shows: string, changes: object, errors: Readonly<Record<string, string[]>>): Case => ({
  shows,
  request,
  body: person(changes),
  status: 400,
  createdResources: invalidInput(errors),
});

const malformed = (shows: string, raw: string): Case => ({
  shows,
  request,
  raw,
  status: 400,
  createdResources: invalidPayload,
});

/** The states that count as not given. */
const blanks = (member: string, message: string): Case[] => [
  refused(`${member} left out`, { [member]: undefined }, { [member]: [message] }),
  refused(`${member} null`, { [member]: null }, { [member]: [message] }),
  refused(`${member} empty`, { [member]: '' }, { [member]: [message] }),
  refused(`${member} of white space`, { [member]: ' \t\n         ' }, { [member]: [message] }),
  refused(`${member} an empty list`, { [member]: [] }, { [member]: [message] }),
  refused(`${member} an empty object`, { [member]: {} }, { [member]: [message] }),
];

export const registration: readonly Case[] = [
  accepted('name, e-mail address and password are enough', {}),
  accepted('a level is accepted', { level: 'admin' }),
  accepted('a level of another type is accepted', { level: [1, { a: null }] }),
  accepted('members that nobody asked for are accepted', { age: 7, constructor: 'x', toString: null }),

  ...blanks('name', NAME_REQUIRED),
  refused('a name that is a number', { name: 123 }, { name: [NAME_TEXT] }),
  refused('a name that is true', { name: true }, { name: [NAME_TEXT] }),
  refused('a name that is a list', { name: ['Ada'] }, { name: [NAME_TEXT] }),
  accepted('a name of 1', { name: 'A' }),
  accepted('a name of 255', { name: 'x'.repeat(255) }),
  refused('a name of 256', { name: 'x'.repeat(256) }, { name: [NAME_LONG] }),
  accepted('a name of 255 characters outside the basic plane', { name: '𝒳'.repeat(255) }),
  refused('a name of 256 such characters', { name: '𝒳'.repeat(256) }, { name: [NAME_LONG] }),
  accepted('a name of 255 between spaces', { name: ` ${'x'.repeat(255)} ` }),
  refused('a name with U+0000', { name: 'a\u0000b' }, { name: [NAME_FORMAT] }),
  refused('a name with half of a surrogate pair', { name: 'a\ud83d' }, { name: [NAME_FORMAT] }),

  ...blanks('email', EMAIL_REQUIRED),
  refused('an address that is a number', { email: 1 }, { email: [EMAIL_TEXT, EMAIL_INVALID] }),
  refused('an address without @', { email: 'ada' }, { email: [EMAIL_INVALID] }),
  refused('an address with two @', { email: 'a@b@c' }, { email: [EMAIL_INVALID] }),
  refused('an address with a space', { email: `a b${domain}` }, { email: [EMAIL_INVALID] }),
  refused('an address with a line break', { email: `a\r\nb${domain}` }, { email: [EMAIL_INVALID] }),
  refused('an address with U+0000', { email: `a\u0000b${domain}` }, { email: [EMAIL_FORMAT, EMAIL_INVALID] }),
  accepted('an address of 255', { email: 'x'.repeat(255 - domain.length) + domain }),
  refused('an address of 256', { email: 'x'.repeat(256 - domain.length) + domain }, { email: [EMAIL_LONG] }),
  refused(
    '256 characters that are no address',
    { email: 'x'.repeat(256) },
    { email: [EMAIL_INVALID, EMAIL_LONG] },
  ),

  ...blanks('password', PASSWORD_REQUIRED),
  refused('a password that is a number', { password: 12345678 }, { password: [PASSWORD_TEXT] }),
  refused(
    'a short password that is a number',
    { password: 1234567 },
    { password: [PASSWORD_TEXT, PASSWORD_SHORT] },
  ),
  refused('a password of 7', { password: '1234567' }, { password: [PASSWORD_SHORT] }),
  accepted('a password of 8', { password: '12345678' }),
  accepted('a password of 8 emoji', { password: '🔑'.repeat(8) }),
  refused('a password of 7 emoji', { password: '🔑'.repeat(7) }, { password: [PASSWORD_SHORT] }),
  refused(
    'a password with half of a surrogate pair',
    { password: 'password\ud83d' },
    { password: [PASSWORD_FORMAT] },
  ),

  {
    shows: 'the address of somebody else, in other letters',
    request,
    body: { ...KNOWN, email: ` ${KNOWN.email.toUpperCase()}` },
    status: 409,
    createdResources: { error: TAKEN, code: 'email_taken', message: TAKEN, errors: { email: [TAKEN] } },
  },
  refused(
    'the address of somebody else beside another failure',
    { email: KNOWN.email, name: '' },
    {
      name: [NAME_REQUIRED],
    },
  ),

  refused(
    'two failures',
    { name: '', password: 'short' },
    { name: [NAME_REQUIRED], password: [PASSWORD_SHORT] },
  ),
  refused(
    'three failures',
    { name: null, email: null, password: null },
    {
      name: [NAME_REQUIRED],
      email: [EMAIL_REQUIRED],
      password: [PASSWORD_REQUIRED],
    },
  ),

  malformed('no JSON', '{'),
  malformed('nothing', ''),
  malformed('a list', '[]'),
  malformed('a text', '"name"'),
  malformed('a number', '1'),
  malformed('null', 'null'),
  malformed('a member twice', '{"name":"a","name":"b"}'),
  malformed('a member __proto__', '{"name":"a","__proto__":{}}'),
];
