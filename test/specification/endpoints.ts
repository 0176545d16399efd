import { invalidInput, invalidLogin, invalidPayload, registered, token } from './bodies.ts';
import { type Case, KNOWN } from './case.ts';

const knownRecord = {
  id: '<id>',
  name: KNOWN.name,
  email: KNOWN.email,
  level: null,
  locale: null,
  zoneinfo: null,
  state: 'active',
  email_verified_at: null,
  last_login_at: null,
  role: null,
  totp_enabled_at: null,
  created_at: '<time>',
  updated_at: '<time>',
  version: 1,
  user_metadata: {},
  app_metadata: {},
};
const { email, password } = KNOWN;

const users: readonly Case[] = [
  {
    behaviour: 'returns a message to an anonymous caller',
    request: 'GET /api/v1/users',
    status: 200,
    responseBody: { message: 'Users list' },
  },
  {
    behaviour: 'returns the own record to a user',
    request: 'GET /api/v1/users',
    as: 'user',
    status: 200,
    responseBody: { message: 'Users list', data: [knownRecord] },
  },
  {
    behaviour: 'returns all records to the administrator',
    request: `GET /api/v1/users?email=${email}`,
    as: 'administrator',
    status: 200,
    responseBody: { message: 'Users list', data: [{ ...knownRecord, groups: [] }], next_cursor: null },
  },
  {
    behaviour: 'returns a message with the id',
    request: 'GET /api/v1/users/42',
    status: 200,
    responseBody: { message: 'User 42' },
  },
  {
    behaviour: 'returns a message with the decoded id as text',
    request: 'GET /api/v1/users/%3Cscript%3E',
    status: 200,
    responseBody: { message: 'User <script>' },
  },
];

const accounts: readonly Case[] = [
  {
    behaviour: 'returns a token in both places',
    request: 'POST /api/register',
    body: { name: 'Grace', email: 'grace@example.com', password: 'a password', level: 1 },
    status: 201,
    responseBody: registered,
    responseHeaders: { location: '/api/v1/users/<id>', pragma: 'no-cache' },
  },
  {
    behaviour: 'returns a token',
    request: 'POST /api/login',
    body: { email, password },
    status: 200,
    responseBody: token,
    responseHeaders: { pragma: 'no-cache', location: null },
  },
  {
    behaviour: 'rejects a wrong password',
    request: 'POST /api/login',
    body: { email, password: 'a wrong password' },
    status: 401,
    responseBody: invalidLogin,
    responseHeaders: { 'www-authenticate': 'Bearer realm="api"' },
  },
  {
    behaviour: 'rejects a body without its members',
    request: 'POST /api/login',
    body: {},
    status: 400,
    responseBody: invalidInput({
      email: ['The email field is required.'],
      password: ['The password field is required.'],
    }),
  },
  {
    behaviour: 'rejects a body that is not JSON',
    request: 'POST /api/login',
    raw: '{',
    status: 400,
    responseBody: invalidPayload,
  },
];

export const endpoints: readonly Case[] = [...users, ...accounts];
