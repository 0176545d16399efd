import { invalidInput, invalidLogin, invalidPayload, registered, token, unauthorized } from './bodies.ts';
import { type Case, KNOWN } from './case.ts';

const UNKNOWN_ID = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';
const INVALID_TOKEN = 'error="invalid_token", error_description="The access token is invalid or expired"';
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
    behaviour: 'rejects an invalid credential instead of ignoring it',
    request: 'GET /api/v1/users',
    headers: { authorization: 'Bearer bad' },
    status: 401,
    responseBody: unauthorized,
    responseHeaders: { 'www-authenticate': `Bearer realm="api", ${INVALID_TOKEN}` },
  },
  {
    behaviour: 'creates a user without a body',
    request: 'POST /api/v1/users',
    status: 201,
    responseBody: { message: 'User created', data: { id: '<id>' } },
    responseHeaders: { location: '/api/v1/users/<id>' },
  },
  {
    behaviour: 'creates a user with a body',
    request: 'POST /api/v1/users',
    body: { name: 'Ada', email: 'ada@example.com', level: 'admin' },
    status: 201,
    responseBody: { message: 'User created', data: { id: '<id>' } },
  },
  {
    behaviour: 'rejects a name with U+0000',
    request: 'POST /api/v1/users',
    body: { name: 'a\u0000b' },
    status: 400,
    responseBody: invalidInput({ name: ['The name field format is invalid.'] }),
  },
  {
    behaviour: 'rejects a body that is not an object',
    request: 'POST /api/v1/users',
    raw: '[]',
    status: 400,
    responseBody: invalidPayload,
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
  {
    behaviour: 'responds to the administrator about an unknown id',
    request: `GET /api/v1/users/${UNKNOWN_ID}`,
    as: 'administrator',
    status: 404,
    responseBody: { error: 'User not found', code: 'user_not_found' },
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
    behaviour: 'rejects an unknown email',
    request: 'POST /api/login',
    body: { email: 'nobody@example.com', password },
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
