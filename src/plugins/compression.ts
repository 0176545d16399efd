/** Compresses responses of routes that can be long. */
import compress from '@fastify/compress';
import type { onRequestHookHandler, onSendAsyncHookHandler, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether responses are compressed. Without it: those of lists in pages. Never one that has a secret beside input of
     * the request, which the length would reveal (BREACH): tokens, credentials, pages of links.
     */
    readonly isCompressed?: boolean;
  }
}

/** Longer responses are compressed in threads, and have no length. Not by the number of cores, as the default. */
const MAX_AT_ONCE_BYTES = 16_384;

/** Streams are sent as they are: events have to arrive at once, and exports have to end as they do. */
export const compression = fp(async (app) => {
  app.addHook('onRoute', (route) => {
    const isHead = route.method === 'HEAD';
    if (isHead || !isCompressed(route)) route.compress = false;
    if (!isCompressed(route)) return;
    route.onRequest = [route.onRequest ?? [], addVary].flat();
    if (isHead) route.onSend = [route.onSend ?? [], removeLength].flat();
  });
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    syncThreshold: MAX_AT_ONCE_BYTES,
  });
});

function isCompressed({ method, config, schema }: RouteOptions): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { properties } = (schema?.querystring ?? {}) as { readonly properties?: object };
  return config?.isCompressed ?? Object.hasOwn(properties ?? {}, 'limit');
}

/** Also in 304 and in short responses (RFC 9110 section 12.5.5). */
const addVary: onRequestHookHandler = (_request, reply, done) => {
  const vary = String(reply.getHeader('vary'));
  if (!vary.includes('accept-encoding')) reply.header('vary', `${vary}, accept-encoding`);
  done();
};

/** The length would be that of the response without compression (RFC 9110 section 8.6). */
const removeLength: onSendAsyncHookHandler = async ({ headers }, reply, payload) => {
  if (headers['accept-encoding'] !== undefined) reply.removeHeader('content-length');
  return payload;
};
