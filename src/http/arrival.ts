/** The first thing that happens to every request, whether or not there is a route for it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems.ts';
import type { ApiResponse } from './api-response.ts';
import { corsHeaders } from './cors.ts';
import type { Caller } from './route.ts';
import type { ServerOptions } from './server-options.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** An id from outside goes into logs and headers: only harmless ones are taken over. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const ANONYMOUS: Caller = { kind: 'anonymous' };

/** @throws Problem malformed_request */
export type Receive = (request: FastifyRequest, reply: FastifyReply) => void;

/** Gives the function that marks an answer with what every one carries. */
export function createArrival(options: ServerOptions): Receive {
  const warnOfProxy = proxyWarning(options);
  return (request, reply) => {
    request.caller = ANONYMOUS;
    const response = reply.raw as ApiResponse;
    response.received = request;
    response.arrivedAt = performance.now();
    response.extraHeaders.push('X-Request-Id', request.id);
    const { headers, raw } = request;
    if (options.corsOrigins.length > 0) {
      response.extraHeaders.push(...corsHeaders(options.corsOrigins, headers.origin));
    }
    if (headers['x-forwarded-for'] !== undefined) warnOfProxy();
    if (!hasItsHost(raw)) throw new Problem('malformed_request');
  };
}

/** Behind a proxy that is not named all clients would share one address, and one limit. Said once. */
function proxyWarning({ logger, trustProxy }: ServerOptions): () => void {
  let isSaid = trustProxy.length > 0;
  return () => {
    if (isSaid) return;
    isSaid = true;
    logger.warn('X-Forwarded-For is ignored: name the proxy in TRUST_PROXY if there is one in front');
  };
}

/** RFC 9112 section 3.2: one Host field, no more and, since HTTP/1.1, no less. Node would keep the first. */
function hasItsHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
