/** Fastify's options: routing, proxies, limits. */
import { MAX_ENCODED_PARAMETER_LENGTH } from '../../plugins/json-bodies/body.ts';
import { MAX_BODY_BYTES } from '../../plugins/json-bodies/content.ts';
import { serializerFactory } from '../response/serializers.ts';
import { trustProxyOption } from '../../plugins/request-context/client-ip.ts';
import type { Connections } from '../../plugins/connections/connections.ts';
import { serverFactory, type Timeouts } from '../../plugins/connections/node-server.ts';
import { requestId } from '../../plugins/request-context/request-id.ts';

interface Options {
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly timeouts?: Timeouts;
}

export const ROUTER_OPTIONS = {
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: MAX_ENCODED_PARAMETER_LENGTH,
} as const;

export function fastifyOptions({ trustProxy, timeouts }: Options, connections: Connections) {
  return {
    serverFactory: serverFactory(connections, timeouts),
    // Requests are logged by request-log.ts and errors by error-response.ts.
    logger: false,
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: trustProxyOption(trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    schemaController: {
      compilersFactory: { buildSerializer: serializerFactory, buildValidator: noValidator },
    },
    routerOptions: ROUTER_OPTIONS,
  } as const;
}

/** Takes the place of Fastify's own Ajv, which takes long to load: bodies are validated by request/validation.ts. */
function noValidator(): never {
  throw new Error('Routes have schemas of responses only');
}
