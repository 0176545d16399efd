/** Context of every request: its client, its id, its connection. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import { type AdminCredential, ANONYMOUS, type Caller } from '../callers/callers.ts';
import type { Connection, Connections } from './connections/connections.ts';
import { clientIpReader, createProxyWarning } from './request-context/client-ip.ts';
import { mustClose, requestHeadProblem } from './request-context/request-head.ts';

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
    /** Undefined when the connection is closed. */
    tcpConnection: Connection | undefined;
  }
}

export interface RequestContextOptions {
  readonly logger: Logger;
  readonly trustProxy: readonly string[];
  readonly connections: Connections;
  readonly isDraining: () => boolean;
}

export type SetRequestContext = (request: FastifyRequest, reply: FastifyReply) => void;

/** Creates the function that determines the client of a request. */
export function createRequestContext(options: RequestContextOptions): SetRequestContext {
  const { connections, isDraining, logger, trustProxy } = options;
  const readClientIp = clientIpReader(trustProxy);
  const warnOfProxy = createProxyWarning(logger, trustProxy);
  return (request, reply) => {
    request.tcpConnection = connections.get(request.raw.socket);
    request.caller = ANONYMOUS;
    request.routeConfig = request.routeOptions.config;
    request.senderIp = readClientIp(request);
    request.clientIp = request.senderIp;
    const { headers } = request;
    request.userAgent = headers['user-agent'] ?? null;
    if (headers['x-forwarded-for'] !== undefined && headers['frontdesk-credential'] === undefined)
      warnOfProxy();
    reply.header('x-request-id', request.id);
    if (isDraining() || mustClose(request.raw)) closeAfterResponse(request, reply);
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
  app.decorateRequest('tcpConnection', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    setContext(request, reply);
    done(requestHeadProblem(request.raw));
  });
});

/** Announces the end of the connection; requests that follow on it are not processed. */
export function closeAfterResponse({ tcpConnection }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  if (tcpConnection !== undefined) tcpConnection.isEnding = true;
}
