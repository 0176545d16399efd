/** Fastify's options: limits of size and time, routing, proxies, logging. */
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import { MAX_ENCODED_PARAMETER_LENGTH } from '../request/body.ts';
import { MAX_BODY_BYTES } from '../request/content.ts';
import { serializerFactory } from '../response/serializers.ts';
import { trustProxyOption } from './client-ip.ts';
import { requestId } from './request-id.ts';

/** Milliseconds. */
export interface Timeouts {
  /** For the headers of a request. */
  readonly headers: number;
  /** For a whole request. */
  readonly request: number;
  /** How often slow requests are looked for. */
  readonly check: number;
  /** How long a client may send nothing and read nothing of its response. */
  readonly stalled: number;
}

export const TIMEOUTS: Timeouts = { headers: 15_000, request: 30_000, check: 2_000, stalled: 20_000 };
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;

interface Options {
  readonly logger: Logger;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly timeouts?: Timeouts;
}

export function fastifyOptions({ logger, trustProxy, timeouts = TIMEOUTS }: Options) {
  return {
    // One line per request is logged by request-log.ts; Fastify itself reports only what should not happen.
    loggerInstance: logger.child(
      {},
      { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level },
    ) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: trustProxyOption(trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.stalled,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: serializerFactory } },
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_ENCODED_PARAMETER_LENGTH,
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // Checked by request-head.ts, whose error response has a body.
      requireHostHeader: false,
      // A field that must be single is no longer valid when it is repeated, and is rejected for that.
      joinDuplicateHeaders: true,
    },
  } as const;
}
