/** Checks a request's media type and encoding before its body is read. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problems/problem.ts';

/** Limit of routes that do not set `bodyLimit`. */
export const MAX_BODY_BYTES = 65_536;

interface AcceptedContent {
  readonly accept: string;
  /** Matches its spellings, with parameters. */
  readonly pattern: RegExp;
}

export function acceptBodies(app: FastifyInstance, accepted: AcceptedContent): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(hasBody(headers) ? contentProblem(headers, accepted) : undefined);
  });
  // biome-ignore lint/complexity/useMaxParams: the signature of Fastify's hook
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    // Node gives a request without a body no stream (fastify-options.ts): with a Content-Type, Fastify would wait for it.
    const isAwaited = headers['content-type'] !== undefined && !hasBody(headers);
    done(null, isAwaited ? Readable.from([]) : payload);
  });
}

/** Whether the request has a body: its headers say so, not its method (RFC 9112 section 6.3). */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Returns the problem of a body by its headers, also on routes that read none (RFC 9110 section 15.5.16). */
function contentProblem(headers: IncomingHttpHeaders, { accept, pattern }: AcceptedContent) {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return new Problem('unsupported_media_type', { headers: { 'accept-encoding': 'identity' } });
  const type = headers['content-type'];
  if (type === accept || (type !== undefined && pattern.test(type))) return undefined;
  return new Problem('unsupported_media_type', { headers: { accept } });
}
