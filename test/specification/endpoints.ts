/** Every endpoint with its successes and failures, every error that the API knows, and the versions of paths. */
import { ADMIN_TOKEN } from '../support/service.ts';
import {
  invalidInput,
  invalidLogin,
  invalidPayload,
  notFound,
  protocolError,
  registered,
  token,
  unauthorized,
} from './bodies.ts';
import { type Case, KNOWN } from './case.ts';

const UNKNOWN_ID = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';
const INVALID_TOKEN = 'error="invalid_token", error_description="The access token is invalid or expired"';
const knownRecord = {
  id: '<id>',
  name: KNOWN.name,
  email: KNOWN.email,
  level: null,
  state: 'active',
  email_verified_at: null,
  created_at: '<time>',
  updated_at: '<time>',
  version: 1,
};
const { email, password } = KNOWN;

const users: readonly Case[] = [
  {
    shows: 'a message',
    request: 'GET /api/v1/users',
    status: 200,
    createdResources: { message: 'Users list' },
  },
  {
    shows: 'the own record with a token',
    request: 'GET /api/v1/users',
    as: 'known person',
    status: 200,
    createdResources: { message: 'Users list', data: [knownRecord] },
  },
  {
    shows: 'all records for the administrator',
    request: `GET /api/v1/users?email=${email}`,
    as: 'administrator',
    status: 200,
    createdResources: { message: 'Users list', data: [knownRecord], next_cursor: null },
  },
  {
    shows: 'a credential that is none is refused, not ignored',
    request: 'GET /api/v1/users',
    headers: { authorization: 'Bearer bad' },
    status: 401,
    createdResources: unauthorized,
    carries: { 'www-authenticate': `Bearer realm="api", ${INVALID_TOKEN}` },
  },
  {
    shows: 'creates without a body',
    request: 'POST /api/v1/users',
    status: 201,
    createdResources: { message: 'User created', data: { id: '<id>' } },
    carries: { location: '/api/v1/users/<id>' },
  },
  {
    shows: 'creates with a body',
    request: 'POST /api/v1/users',
    body: { name: 'Ada', email: 'ada@example.com', level: 'admin' },
    status: 201,
    createdResources: { message: 'User created', data: { id: '<id>' } },
  },
  {
    shows: 'a name with U+0000 is refused on every engine',
    request: 'POST /api/v1/users',
    body: { name: 'a\u0000b' },
    status: 400,
    createdResources: invalidInput({ name: ['The name field format is invalid.'] }),
  },
  {
    shows: 'what is no object is refused',
    request: 'POST /api/v1/users',
    raw: '[]',
    status: 400,
    createdResources: invalidPayload,
  },
  {
    shows: 'the message includes the id',
    request: 'GET /api/v1/users/42',
    status: 200,
    createdResources: { message: 'User 42' },
  },
  {
    shows: 'the id is repeated as text',
    request: 'GET /api/v1/users/%3Cscript%3E',
    status: 200,
    createdResources: { message: 'User <script>' },
  },
  {
    shows: 'a missing user is not found, for the administrator',
    request: `GET /api/v1/users/${UNKNOWN_ID}`,
    as: 'administrator',
    status: 404,
    createdResources: { error: 'User not found', code: 'user_not_found' },
  },
];

const dashboard = (shows: string, headers: Readonly<Record<string, string>>, reason = ''): Case => ({
  shows,
  request: 'GET /api/v1/admin/dashboard',
  headers,
  status: 401,
  createdResources: unauthorized,
  carries: { 'www-authenticate': `Bearer realm="admin"${reason}` },
});
const invalidToken = `, ${INVALID_TOKEN}`;

const administration: readonly Case[] = [
  dashboard('without a credential', {}),
  dashboard('with an empty one', { authorization: '' }),
  dashboard('with another one', { authorization: `Bearer ${'x'.repeat(36)}` }, invalidToken),
  dashboard('with more than the credential', { authorization: `Bearer ${ADMIN_TOKEN}x` }, invalidToken),
  dashboard('with less than it', { authorization: `Bearer ${ADMIN_TOKEN.slice(1)}` }, invalidToken),
  dashboard('with the scheme in other letters', { authorization: `bearer ${ADMIN_TOKEN}` }, invalidToken),
  dashboard('with two spaces', { authorization: `Bearer  ${ADMIN_TOKEN}` }, invalidToken),
  dashboard('without the scheme', { authorization: ADMIN_TOKEN }),
  dashboard('under another scheme', { authorization: `Basic ${ADMIN_TOKEN}` }),
  { ...dashboard('with the token of a user', {}, invalidToken), as: 'known person' },
];

const accounts: readonly Case[] = [
  {
    shows: 'gives a token, at both places',
    request: 'POST /api/register',
    body: { name: 'Grace', email: 'grace@example.com', password: 'a password', level: 1 },
    status: 201,
    createdResources: registered,
    carries: { location: '/api/v1/users/<id>', pragma: 'no-cache' },
  },
  {
    shows: 'gives a token',
    request: 'POST /api/login',
    body: { email, password },
    status: 200,
    createdResources: token,
    carries: { pragma: 'no-cache', location: null },
  },
  {
    shows: 'a wrong password',
    request: 'POST /api/login',
    body: { email, password: 'a wrong password' },
    status: 401,
    createdResources: invalidLogin,
    carries: { 'www-authenticate': 'Bearer realm="api"' },
  },
  {
    shows: 'an unknown address',
    request: 'POST /api/login',
    body: { email: 'nobody@example.com', password },
    status: 401,
    createdResources: invalidLogin,
    carries: { 'www-authenticate': 'Bearer realm="api"' },
  },
  {
    shows: 'members left out',
    request: 'POST /api/login',
    body: {},
    status: 400,
    createdResources: invalidInput({
      email: ['The email field is required.'],
      password: ['The password field is required.'],
    }),
  },
  { shows: 'no JSON', request: 'POST /api/login', raw: '{', status: 400, createdResources: invalidPayload },
];

const protocol: readonly Case[] = [
  { shows: 'a missing route', request: 'GET /nowhere', status: 404, createdResources: notFound },
  {
    shows: 'is not versioned',
    request: 'POST /api/v1/register',
    body: {},
    status: 404,
    createdResources: notFound,
  },
  {
    shows: 'is not versioned',
    request: 'POST /api/v1/login',
    body: {},
    status: 404,
    createdResources: notFound,
  },
  { shows: 'is versioned', request: 'GET /api/users', status: 404, createdResources: notFound },
  { shows: 'is versioned', request: 'GET /api/admin/dashboard', status: 404, createdResources: notFound },
  {
    shows: 'there is no second version',
    request: 'GET /api/v2/users',
    status: 404,
    createdResources: notFound,
  },
  {
    shows: 'another method',
    request: 'GET /api/login',
    status: 405,
    createdResources: protocolError(405, 'method_not_allowed', 'Method Not Allowed'),
    carries: { allow: 'OPTIONS, POST' },
  },
  {
    shows: 'another method on a path of two',
    request: 'DELETE /api/v1/users',
    status: 405,
    createdResources: protocolError(405, 'method_not_allowed', 'Method Not Allowed'),
    carries: { allow: 'GET, HEAD, OPTIONS, POST' },
  },
  {
    shows: 'an answer that nobody can give',
    request: 'GET /api/v1/users',
    headers: { accept: 'text/html' },
    status: 406,
    createdResources: protocolError(406, 'not_acceptable', 'Not Acceptable'),
  },
  {
    shows: 'another media type',
    request: 'POST /api/login',
    raw: 'email=known',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    createdResources: protocolError(415, 'unsupported_media_type', 'Unsupported Media Type'),
    carries: { accept: 'application/json' },
  },
];

export const endpoints: readonly Case[] = [...users, ...administration, ...accounts, ...protocol];
