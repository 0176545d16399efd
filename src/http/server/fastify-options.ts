/** Fastify's options: routing, proxies, limits. */
import { MAX_ENCODED_PARAMETER_LENGTH } from '../request/body.ts';
import { MAX_BODY_BYTES } from '../request/content.ts';
import { serializerFactory } from '../response/serializers.ts';
import { trustProxyOption } from './client-ip.ts';
import { type ServerFactoryOptions, serverFactory } from './node-server.ts';
import { requestId } from './request-id.ts';

interface Options extends ServerFactoryOptions {
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
}

export const ROUTER_OPTIONS = {
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: MAX_ENCODED_PARAMETER_LENGTH,
} as const;

export function fastifyOptions(options: Options) {
  return {
    serverFactory: serverFactory(options),
    // Requests are logged by request-log.ts and errors by error-response.ts.
    logger: false,
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: trustProxyOption(options.trustProxy),
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
