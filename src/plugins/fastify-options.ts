/** Options of the Fastify instance: routing, proxies, limits, and requests whose path Fastify rejects before any hook. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyHttpOptions,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { MAX_BODY_BYTES } from './bodies/accept-bodies.ts';
import { corsHeaders, isListedOrigin } from './cors.ts';
import type { Headers } from './default-headers.ts';
import type { ErrorHandler } from './problems/error-response.ts';
import { type SetRequestContext, trustProxyOption } from './request-context.ts';
import { FailureLog, type LogRequest } from './request-log.ts';
import { compileValidator, MAX_ENCODED_PARAMETER_LENGTH } from './validation.ts';

/** Milliseconds. `stalled`: how long a connection may have no traffic during a request. */
export const TIMEOUTS = { headers: 15_000, request: 30_000, check: 2_000, stalled: 120_000 };
export type Timeouts = typeof TIMEOUTS;

export const ROUTER_OPTIONS = {
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: MAX_ENCODED_PARAMETER_LENGTH,
} as const;

const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;

export interface InstanceOptions {
  readonly logger: Logger;
  readonly timeouts?: Timeouts;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
}

export function createFastifyOptions({ logger, trustProxy, timeouts = TIMEOUTS }: InstanceOptions) {
  // The service says itself where it listens.
  const level = logger.isLevelEnabled('warn') ? 'warn' : logger.level;
  // The ids of requests are members of the lines that need them: a logger for each request would cost more.
  const warnings: FastifyBaseLogger = Object.assign(logger.child({}, { level }), { child: () => warnings });
  return {
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      // Requests without a body get no stream, which saves a tenth of their cost.
      optimizeEmptyRequests: true,
      // Checked by request-context.ts, whose error response has a body.
      requireHostHeader: false,
      // A field that must be single is no longer valid when it is repeated, and is rejected for that.
      joinDuplicateHeaders: true,
    },
    requestTimeout: timeouts.request,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: timeouts.stalled,
    loggerInstance: warnings,
    logController: new FailureLog(),
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: trustProxyOption(trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    schemaController,
    return503OnClosing: false,
    routerOptions: ROUTER_OPTIONS,
  } as const satisfies FastifyHttpOptions<Server>;
}

type Serialize = ReturnType<ReturnType<SerializerFactory>>;

const require = createRequire(import.meta.url);

/** Serializers of this process by their schemas, which mean the same in all servers and routes. */
const serializers = new WeakMap<object, Serialize>();

/** Creates the serializers of Fastify, each at the first response with its schema. */
const buildLazySerializer: SerializerFactory = (externalSchemas, options) => (route) => {
  const compile = () => {
    // Loaded for the first response: a start needs none.
    const { SerializerSelector } =
      require('@fastify/fast-json-stringify-compiler') as typeof import('@fastify/fast-json-stringify-compiler');
    return SerializerSelector()(externalSchemas, options)(route);
  };
  let serialize: Serialize | undefined;
  return (value) => {
    serialize ??= serializers.getOrInsertComputed(route.schema as object, compile);
    return serialize(value);
  };
};

/** Compiles schemas. Without a builder of validators, Fastify would load its own. Its type allows those of Ajv only. */
export const schemaController = {
  compilersFactory: {
    buildValidator: (() => compileValidator) as never,
    buildSerializer: buildLazySerializer,
  },
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the client's X-Request-Id if it is safe in logs and headers, or else a new UUID. */
export function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Creates Fastify's `frameworkErrors`, which does the work of the hooks for such requests. */
export function createFrameworkErrorHandler(options: {
  headers: Headers;
  setContext: SetRequestContext;
  log: LogRequest;
  handleError: ErrorHandler;
  corsOrigins: readonly string[];
}) {
  const { headers, setContext, log, handleError, corsOrigins } = options;
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setContext(request, reply);
    reply.headers(headers);
    const { origin } = request.headers;
    if (isListedOrigin(corsOrigins, origin)) reply.headers(corsHeaders(origin));
    reply.raw.once('finish', () => log(request, reply));
    void handleError(error, request, reply);
  };
}
