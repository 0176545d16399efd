/** Bodies of HTML forms: parsed by @fastify/formbody with a strict parser, after their headers were checked. */
import formbody from '@fastify/formbody';
import fp from 'fastify-plugin';
import { acceptBodies } from '../json-bodies/accept-bodies.ts';
import { parseFormBody } from './form-body.ts';

/** The type of HTML forms, and no charset but UTF-8 (WHATWG URL section 5). */
export const FORM_TYPE =
  /^application\/x-www-form-urlencoded[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i;

/** Errors: Problem payload_too_large, unsupported_media_type, invalid_payload. */
export const formBodies = fp(async (app) => {
  acceptBodies(app, { accept: 'application/x-www-form-urlencoded', pattern: FORM_TYPE });
  app.removeAllContentTypeParsers();
  await app.register(formbody, { parser: parseFormBody });
});
