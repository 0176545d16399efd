/** Bodies of requests to the API: JSON, read strictly, whose headers are checked before the body is read. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { type JsonOptions, parseStrictJson } from '../../lib/text/strict-json.ts';
import { acceptBodies } from './accept-bodies.ts';

declare module 'fastify' {
  interface FastifyContextConfig extends JsonOptions {
    /** Members that occur in every element of a list: they do not count towards the limit of members. */
    readonly repeatedMembers?: readonly string[];
    /** Members of a body besides the repeated ones; 1,000 if absent. */
    readonly maxMembers?: number;
  }
}

/** `application/json` or `application/<anything>+json`, and no charset but UTF-8 (RFC 8259 section 8.1). */
export const JSON_TYPE =
  /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i;

/**
 * Parses bodies. Routes without a schema of the body ignore it. Errors: Problem payload_too_large,
 * unsupported_media_type, invalid_payload.
 */
export const jsonBodies = fp(async (app) => {
  acceptBodies(app, { accept: 'application/json', pattern: JSON_TYPE });
  app.removeAllContentTypeParsers();
  // Media types are checked in one place, before the body is read.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  // Not in the parser: Fastify closes the connection after each error of a parser.
  app.addHook('preValidation', (request, _reply, done) => {
    try {
      request.body = parseBody(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
});

function parseBody({ body, routeOptions: { schema, config } }: FastifyRequest): unknown {
  // Contexts with a parser of their own have the value already.
  if (!Buffer.isBuffer(body)) return body;
  return body.length === 0 || schema?.body === undefined ? undefined : parseStrictJson(body, config);
}

/** Hook of routes whose body may be absent: an absent one is an object without members. */
export const optionalBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {};
  done();
};
