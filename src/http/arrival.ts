/** The first thing that happens to every request, whether or not there is a route for it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { parseClientIp } from '../lib/network.ts';
import { Problem } from '../problems.ts';
import type { RequestContext } from './exchange.ts';
import { type ApiResponse, headerLines } from './response/default-headers.ts';
import { ANONYMOUS } from './route.ts';
import { corsHeaders } from './server/cors.ts';
import type { ServerOptions } from './server-options.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export type Arrive = (request: IncomingMessage, response: ApiResponse) => RequestContext;

/** Gives the function that begins an exchange and marks its answer with what every one carries. */
export function createArrival(options: ServerOptions): Arrive {
  const addressOf = clientAddress(options.trustProxy);
  const warnOfProxy = proxyWarning(options);
  return (request, response) => {
    const { headers } = request;
    const id = requestId(headers['x-request-id']);
    response.extraLines = `X-Request-Id: ${id}\r\n`;
    if (options.corsOrigins.length > 0) {
      response.extraLines += headerLines(corsHeaders(options.corsOrigins, headers.origin));
    }
    if (headers['x-forwarded-for'] !== undefined) warnOfProxy();
    return {
      request,
      response,
      headers,
      id,
      arrivedAt: performance.now(),
      address: addressOf(request),
      route: null,
      caller: ANONYMOUS,
    };
  };
}

/** An id from outside goes into logs and headers: only harmless ones are taken over. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * The address of the connection or, behind proxies that are named, the nearest one that is none of them; empty
 * where the client has gone already.
 */
function clientAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddress.compile([...trusted]);
  const isProxy = (address: string, hop: number) => isTrusted(parseClientIp(address), hop);
  return (request) => parseClientIp(proxyAddress(request, isProxy) ?? '');
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

/** RFC 3986 section 3.2, without the comma, by which Node joins fields: two of them are none. */
const HOST = /^[\w.~!$&'()*+;=:%[\]-]*$/;

/**
 * What Node's parser lets pass, and two programs could read differently: RFC 9112 section 3.2, one Host field,
 * no more and, since HTTP/1.1, no less; section 6.1, no transfer coding that we do not know.
 * @throws Problem malformed_request
 */
export function checkHead({ headers, httpVersion }: IncomingMessage): void {
  const { host, 'transfer-encoding': coding } = headers;
  const isHost = host === undefined ? httpVersion === '1.0' : HOST.test(host);
  if (!isHost || (coding !== undefined && coding.toLowerCase() !== 'chunked')) {
    throw new Problem('malformed_request', { headers: { connection: 'close' } });
  }
}
