/** The hooks that every request passes before its route's handler, and after its response. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../lib/log.ts';
import { Problem } from '../../problems/problem.ts';
import { type AdmissionOptions, admit } from '../../plugins/access/admission.ts';
import { hasBody } from '../../plugins/json-bodies/content.ts';
import type { Headers } from '../../plugins/default-headers/default-headers.ts';
import { ANONYMOUS, type Caller, type Route } from '../route.ts';
import type { FindPath } from '../supported-methods.ts';
import { clientIpReader, createProxyWarning } from '../../plugins/request-context/client-ip.ts';
import type { Connections } from '../../plugins/connections/connections.ts';
import { corsHeaders, isListedOrigin } from '../../plugins/cors/cors.ts';
import { mustClose, requestHeadProblem } from '../../plugins/request-context/request-head.ts';
import { createRequestLog } from '../../plugins/request-log/request-log.ts';

export interface RequestHookOptions extends AdmissionOptions {
  readonly logger: Log;
  /** The default headers of every response. */
  readonly headers: Headers;
  readonly trustProxy: readonly string[];
  readonly connections: Connections;
  /** Responses whose client sends the body after 100 Continue. */
  readonly awaitingContinue: WeakSet<ServerResponse>;
  readonly findPath: FindPath;
  readonly isDraining: () => boolean;
  readonly onResponse: (caller: Caller, status: number) => void;
}

type Done = (error?: Error) => void;

export function createRequestHooks(options: RequestHookOptions) {
  const prepare = createPreparation(options);
  const log = createRequestLog(options.logger);
  return {
    /** The first hook. */
    onReceived(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      prepare(request, reply);
      done(requestHeadProblem(request.raw));
    },

    /** For requests whose path Fastify rejects before any hook. */
    onUnroutable(request: FastifyRequest, reply: FastifyReply): void {
      prepare(request, reply);
      if (isListedOrigin(options.corsOrigins, request.headers.origin)) {
        reply.headers(corsHeaders(request.headers.origin));
      }
      reply.raw.once('finish', () => log(request, reply));
    },

    /** The last hook: admits the request to its route, or responds in place of a route. */
    onDispatch(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      const { route } = request.routeOptions.config;
      if (route === undefined) {
        respondWithoutRoute(request, reply, options);
        return;
      }
      const proceed = () => {
        // Node gives a request without a body no stream (node-server.ts): Fastify must not try to read one.
        if (!hasBody(request.headers)) delete request.headers['content-type'];
        continueRequest(route, reply, options.awaitingContinue);
        done();
      };
      const pending = admit({ route, request, reply }, options);
      if (pending === undefined) proceed();
      else pending.then(proceed, done);
    },

    /** For requests whose response is never finished, because the client disconnected or the body failed. */
    onDisconnected: log,

    onResponse(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      done();
      log(request, reply);
      try {
        options.onResponse(request.caller, reply.statusCode);
      } catch (error) {
        // The response has been sent: its client must not notice.
        options.logger.error({ request_id: request.id, err: error }, 'a step after the response failed');
      }
    },
  };
}

/** Creates the function that finds out about the client and sets the headers of every response. */
function createPreparation(options: RequestHookOptions) {
  const { connections, headers, isDraining, logger, trustProxy } = options;
  const readClientIp = clientIpReader(trustProxy);
  const warnOfProxy = createProxyWarning(logger, trustProxy);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    request.tcpConnection = connections.get(request.raw.socket);
    request.caller = ANONYMOUS;
    request.clientIp = readClientIp(request);
    if (request.headers['x-forwarded-for'] !== undefined) warnOfProxy();
    reply.headers(headers).header('x-request-id', request.id);
    if (isDraining() || mustClose(request.raw)) closeAfterResponse(request, reply);
  };
}

/** Announces the end of the connection; requests that follow on it are not processed. */
function closeAfterResponse({ tcpConnection }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  if (tcpConnection !== undefined) tcpConnection.isEnding = true;
}

/** OPTIONS, unsupported methods and unknown paths. @throws Problem not_found, method_not_allowed */
function respondWithoutRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  { corsOrigins, findPath }: Pick<RequestHookOptions, 'corsOrigins' | 'findPath'>,
): void {
  const { headers, method, raw } = request;
  request.pathInfo = findPath(request.url);
  const allow = request.pathInfo?.allow;
  const isPreflight =
    headers['access-control-request-method'] !== undefined && isListedOrigin(corsOrigins, headers.origin);
  // RFC 9110 section 9.3.7: `*` means the server in general.
  const isAccepted = allow !== undefined || isPreflight || raw.url === '*';
  if (method === 'OPTIONS' && isAccepted) {
    if (allow !== undefined) reply.header('allow', allow);
    if (allow !== undefined && isPreflight) reply.header('access-control-allow-methods', allow);
    reply.code(204).send();
    return;
  }
  if (allow === undefined) throw new Problem('not_found');
  throw new Problem('method_not_allowed', { headers: { allow } });
}

/** Asks a client that waits for it to send its body, now that the body will be read (RFC 9110 section 10.1.1). */
function continueRequest(route: Route, reply: FastifyReply, awaitingContinue: WeakSet<ServerResponse>): void {
  if (!awaitingContinue.has(reply.raw)) return;
  // Fastify does not read the body of a GET.
  if (route.method === 'GET') closeAfterResponse(reply.request, reply);
  else {
    awaitingContinue.delete(reply.raw);
    reply.raw.writeContinue();
  }
}
