/** Headers that every response carries unless its route replaces one. */
import fp from 'fastify-plugin';

export interface DefaultHeaderOptions {
  /** Whether clients reach the service through TLS: adds Strict-Transport-Security (RFC 6797). */
  readonly tls: boolean;
  /** Whether responses depend on the Origin header. */
  readonly cors: boolean;
}

/** By name in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** OWASP REST Security Cheat Sheet, "Security Headers"; `no-store` also for errors, because caches may keep a 404. */
export function createDefaultHeaders({ tls, cors }: DefaultHeaderOptions): Headers {
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

/** Sets the headers of every response. */
export const defaultHeaders = fp<{ readonly headers: Headers }>(async (app, { headers }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
});
