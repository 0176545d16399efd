/** Context of every request: its client, its id, its connection. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import { type AdminCredential, ANONYMOUS, type Caller } from '../callers/callers.ts';
import { parseClientIp } from '../lib/network.ts';
import { endConnection, isEnding } from '../lib/node-http.ts';
import { Problem } from '../problems/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Anonymous until the access plugin has authenticated the request. */
    caller: Caller;
    /** The client's network address; empty when the client has disconnected already. */
    clientIp: string;
    /** The address from which the request came: another one than `clientIp` if a program forwards its client. */
    senderIp: string;
    /** The program that the client uses, as it describes itself. */
    userAgent: string | null;
    /** The credential of the program that forwards its client; null for all other requests. */
    forwarder: AdminCredential | null;
    /** `routeOptions.config`, which Fastify creates anew each time together with all other options. */
    routeConfig: FastifyContextConfig & { readonly url?: string };
  }
}

export type SetRequestContext = (request: FastifyRequest, reply: FastifyReply) => void;

/** Creates the function that determines the client of a request. */
export function createRequestContext(options: {
  readonly logger: Logger;
  readonly trustProxy: readonly string[];
  readonly isDraining: () => boolean;
}): SetRequestContext {
  const { isDraining, logger, trustProxy } = options;
  const readClientIp = clientIpReader(trustProxy);
  const warnOfProxy = createProxyWarning(logger, trustProxy);
  return (request, reply) => {
    request.caller = ANONYMOUS;
    request.routeConfig = request.routeOptions.config;
    request.senderIp = readClientIp(request);
    request.clientIp = request.senderIp;
    const { headers } = request;
    request.userAgent = headers['user-agent'] ?? null;
    if (headers['x-forwarded-for'] !== undefined && headers['frontdesk-credential'] === undefined)
      warnOfProxy();
    reply.header('x-request-id', request.id);
    if (isDraining() || mustClose(request.raw)) {
      reply.header('connection', 'close');
      endConnection(request.raw.socket);
    }
  };
}

/** Sets the context of each request, and rejects a head that is not valid. Errors: Problem malformed_request. */
export const requestContext = fp<{ readonly setContext: SetRequestContext }>(async (app, { setContext }) => {
  // Set for each request: Fastify accepts no objects here, which all requests would share.
  app.decorateRequest<Caller, 'caller'>('caller', null as never);
  app.decorateRequest<FastifyContextConfig, 'routeConfig'>('routeConfig', null as never);
  app.decorateRequest('clientIp', '');
  app.decorateRequest('senderIp', '');
  app.decorateRequest<string | null, 'userAgent'>('userAgent', null);
  app.decorateRequest<AdminCredential | null, 'forwarder'>('forwarder', null);
  app.addHook('onRequest', (request, reply, done) => {
    // Pipelined behind a request whose response closes the connection: it gets none.
    if (isEnding(request.raw.socket)) {
      reply.hijack();
      return;
    }
    setContext(request, reply);
    done(requestHeadProblem(request.raw));
  });
});

/** Returns Fastify's `trustProxy` for these addresses and networks; false when there are none. */
export function trustProxyOption(
  trusted: readonly string[],
): false | ((address: string, hop: number) => boolean) {
  if (trusted.length === 0) return false;
  const isTrusted = proxyAddress.compile([...trusted]);
  return (address, hop) => isTrusted(parseClientIp(address), hop);
}

/** Creates the function that returns the client's IP address: empty when the client has disconnected already. */
export function clientIpReader(trusted: readonly string[]): (request: FastifyRequest) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  // Some gateways add a port: each port would count as another client.
  return (request) => parseClientIp(request.ip ?? '');
}

/** Warns once about X-Forwarded-For from a proxy that is not trusted: all clients would share one rate limit. */
function createProxyWarning(logger: Logger, trusted: readonly string[]): () => void {
  let hasWarned = trusted.length > 0;
  return () => {
    if (hasWarned) return;
    hasWarned = true;
    logger.warn('X-Forwarded-For is ignored: if there is a reverse proxy in front, name it in TRUST_PROXY');
  };
}

/** RFC 3986 section 3.2: host and port. Commas are excluded: Node joins repeated Host fields by a comma. */
const HOST = /^(?:\[(?<ipv6>[\da-f:.]+)\]|[\w.~!$&'()*+;=%-]*)(?::(?<port>\d*))?$/i;
const MAX_PORT = 65_535;

/**
 * Returns the problem malformed_request for other versions than 1.1 and 1.0, Host (RFC 9112 section 3.2) and
 * codings (6.1).
 */
function requestHeadProblem({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  const { host, 'transfer-encoding': coding } = headers;
  const isValid = host === undefined ? httpVersion === '1.0' : isHost(host);
  const isSupported = httpVersion === '1.1' || httpVersion === '1.0';
  if (isValid && isSupported && (coding === undefined || coding.toLowerCase() === 'chunked'))
    return undefined;
  return new Problem('malformed_request', { closesConnection: true });
}

let lastValidHost = '';

function isHost(host: string): boolean {
  // Clients of one service send one Host: it is parsed when it changes.
  if (host === lastValidHost) return true;
  const found = HOST.exec(host)?.groups;
  if (found === undefined) return false;
  const { ipv6, port = '' } = found;
  if ((ipv6 !== undefined && !isIPv6(ipv6)) || Number(port) > MAX_PORT) return false;
  lastValidHost = host;
  return true;
}

/** Whether the connection has to close after the response (RFC 9112 section 6.1); bytes behind Upgrade are lost. */
function mustClose({ headers, httpVersion }: IncomingMessage): boolean {
  return (
    (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) || headers.upgrade !== undefined
  );
}
