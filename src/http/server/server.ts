/** The HTTP server: Fastify with our limits, headers, hooks and routes. */
import type { ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import files from '@fastify/static';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyInstance } from 'fastify';
import type { JsonSchema } from '../json-schema.ts';
import { METHODS } from '../node-http.ts';
import type { LimitHeaders } from '../rate-limits/limit-headers.ts';
import { type HandlerOptions, registerRoutes } from '../register-routes.ts';
import { parseBody } from '../request/body.ts';
import { defaultHeaders } from '../response/default-headers.ts';
import { createErrorHandler } from '../response/error-response.ts';
import type { Caller, RenderProblem, Route } from '../route.ts';
import { createPathFinder, type PathInfo } from '../supported-methods.ts';
import { createClientErrorHandler } from './client-errors.ts';
import { type Connection, Connections } from './connections.ts';
import { corsOptions } from './cors.ts';
import { fastifyOptions } from './fastify-options.ts';
import { createPressureHandler } from './load-shedding.ts';
import type { Timeouts } from './node-server.ts';
import { createRequestHooks, type RequestHookOptions } from './request-hooks.ts';
import { handleServerEvents } from './server-events.ts';

export interface ServerOptions
  extends Omit<HandlerOptions, 'onCutOff'>,
    Omit<RequestHookOptions, 'headers' | 'connections' | 'awaitingContinue' | 'findPath'> {
  /** Mean delay of the event loop above which requests are rejected with 503; null: never. */
  readonly loadSheddingMs: number | null;
  /** Schemas that those of the routes refer to by `$id`. */
  readonly sharedSchemas: readonly JsonSchema[];
  /** Where the files are that responses name (`HandlerResponse.file`). Their names change with their content. */
  readonly filesDirectory: string;
  /** Renders the page that browsers get for paths that do not exist. */
  readonly renderNotFound?: RenderProblem;
  readonly timeouts?: Timeouts;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  readonly connections: Connections;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    /** The client's network address; empty when the client has disconnected already. */
    clientIp: string;
    /** Undefined when the connection is closed. */
    tcpConnection: Connection | undefined;
    /** Set where the path does not support the method. */
    pathInfo: PathInfo | undefined;
  }
  interface FastifyReply {
    setLimitHeaders(headers: LimitHeaders): void;
  }
}

const LOAD_SAMPLE_MS = 500;

/** Creates the server, which does not listen yet. */
export function createServer(routes: readonly Route[], options: ServerOptions): HttpServer {
  const { corsOrigins, publicUrl } = options;
  const headers = defaultHeaders({ tls: publicUrl.startsWith('https:'), cors: corsOrigins.length > 0 });
  const awaitingContinue = new WeakSet<ServerResponse>();
  const handleError = createErrorHandler({
    ...options,
    isAwaitingContinue: ({ raw }) => awaitingContinue.has(raw),
    onDisconnected: (request, reply) => hooks.onDisconnected(request, reply),
  });
  const connections = new Connections();
  const app = fastify({
    ...fastifyOptions({ ...options, connections, headers }),
    clientErrorHandler: (error, socket) => handleClientError(error, socket),
    frameworkErrors: (error, request, reply) => {
      hooks.onUnroutable(request, reply);
      return handleError(error, request, reply);
    },
  });
  const handleClientError = createClientErrorHandler(connections, headers);
  const findPath = createPathFinder(routes);
  const hooks = createRequestHooks({ ...options, headers, connections, awaitingContinue, findPath });
  handleServerEvents(app.server, headers, awaitingContinue);
  decorate(app);
  app.setErrorHandler(handleError);
  app.addHook('onRequest', hooks.onReceived);
  app.addHook('onResponse', hooks.onResponse);
  registerPlugins(app, options);
  // After the plugins, so that their hooks run before a request is dispatched.
  app.after(() => {
    app.addHook('onRequest', hooks.onDispatch);
    registerRoutes(app, routes, { ...options, onCutOff: hooks.onDisconnected });
  });
  return { app, connections };
}

/** Declares the members that hooks and handlers add to Fastify's objects, and the only parser of bodies. */
function decorate(app: FastifyInstance): void {
  app.decorateRequest<Caller, 'caller'>('caller', null as never);
  app.decorateRequest('clientIp', '');
  app.decorateRequest('tcpConnection', undefined);
  app.decorateRequest('pathInfo', undefined);
  app.decorateReply('setLimitHeaders', function (limitHeaders) {
    this.headers(limitHeaders);
  });
  // So that methods that Fastify does not know get the same responses as others.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  }
  app.removeAllContentTypeParsers();
  // Media types are checked in one place, before the body is read (request/content.ts).
  app.addContentTypeParser('*', { parseAs: 'buffer' }, parseBody);
}

function registerPlugins(app: FastifyInstance, options: ServerOptions): void {
  const { corsOrigins, filesDirectory, loadSheddingMs, sharedSchemas } = options;
  for (const schema of sharedSchemas) app.addSchema(schema);
  app.register(files, {
    root: filesDirectory,
    serve: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  if (corsOrigins.length > 0) app.register(cors, corsOptions(corsOrigins));
  if (loadSheddingMs === null) return;
  app.register(underPressure, {
    maxEventLoopDelay: loadSheddingMs,
    sampleInterval: LOAD_SAMPLE_MS,
    pressureHandler: createPressureHandler(options),
  });
}
