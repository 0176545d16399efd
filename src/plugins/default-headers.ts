/** Headers that every response carries unless its route replaces one. */
import fp from 'fastify-plugin';

/** By name in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** OWASP REST Security Cheat Sheet, "Security Headers"; `no-store` also for errors, because caches may keep a 404. */
export function createDefaultHeaders({ tls, cors }: { tls: boolean; cors: boolean }): Headers {
  return {
    'cache-control': 'no-store',
    vary: cors ? 'Accept, Origin' : 'Accept',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(tls ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** What a shared cache would repeat to other clients. */
const OF_ONE_CLIENT = /^(?:x-request-id|(?:x-)?ratelimit.*)$/;

/** Sets the headers of every response. */
export const defaultHeaders = fp<{ readonly headers: Headers }>(async (app, { headers }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  app.addHook('onSend', (...[, reply, , done]) => {
    if (String(reply.getHeader('cache-control')).startsWith('public'))
      for (const name in reply.getHeaders()) if (OF_ONE_CLIENT.test(name)) reply.removeHeader(name);
    done();
  });
});
