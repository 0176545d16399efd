/** Bodies of requests to the API: JSON, read strictly, whose headers are checked before the body is read. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { acceptBodies } from './accept-bodies.ts';
import { parseJsonBody } from './json-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
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
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const { schema, config } = request.routeOptions;
    if (schema?.body === undefined || bytes.length === 0) return undefined;
    return parseJsonBody(bytes, config);
  });
});

/** Hook of routes whose body may be absent: an absent one is an object without members. */
export const optionalBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {};
  done();
};
