/** Options of the Fastify instance: routing, proxies, limits. */
import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify';
import { MAX_BODY_BYTES } from '../json-bodies/accept-bodies.ts';
import { trustProxyOption } from '../request-context/client-ip.ts';
import { requestId } from '../request-context/request-id.ts';
import { MAX_ENCODED_PARAMETER_LENGTH } from '../validation/validation.ts';
import type { Connections } from './connections.ts';
import { serverFactory, type Timeouts } from './node-server.ts';

export interface InstanceOptions {
  readonly logger: FastifyBaseLogger;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly timeouts?: Timeouts | undefined;
}

export function createFastifyOptions(
  { logger, trustProxy, timeouts }: InstanceOptions,
  connections: Connections,
) {
  return {
    serverFactory: serverFactory(connections, timeouts),
    loggerInstance: logger,
    // The ids of requests are members of the lines that need them: a logger for each request would cost more.
    childLoggerFactory: () => logger,
    // Requests are logged by request-log.ts and errors by error-response.ts.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: trustProxyOption(trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_ENCODED_PARAMETER_LENGTH,
    },
  } as const satisfies FastifyServerOptions;
}
