/** Unknown paths and versions, other methods and media types. */
import { notFound, protocolError } from './bodies.ts';
import type { Case } from './case.ts';

export const protocol: readonly Case[] = [
  { behaviour: 'responds', request: 'GET /nowhere', status: 404, responseBody: notFound },
  {
    behaviour: 'has an unknown version and responds',
    request: 'GET /api/v2/users',
    status: 404,
    responseBody: notFound,
  },
  {
    behaviour: 'lists the methods of the path in Allow',
    request: 'DELETE /api/v1/users',
    status: 405,
    responseBody: protocolError(405, 'method_not_allowed', 'Method Not Allowed'),
    responseHeaders: { allow: 'GET, HEAD, OPTIONS, POST' },
  },
  {
    behaviour: 'rejects a request that accepts only HTML',
    request: 'GET /api/v1/users',
    headers: { accept: 'text/html' },
    status: 406,
    responseBody: protocolError(406, 'not_acceptable', 'Not Acceptable'),
  },
  {
    behaviour: 'rejects a body of another media type',
    request: 'POST /api/login',
    raw: 'email=known',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    responseBody: protocolError(415, 'unsupported_media_type', 'Unsupported Media Type'),
    responseHeaders: { accept: 'application/json' },
  },
];
