/** Deprecated operations: response headers (RFC 9745, RFC 8594), and 410 after the sunset. */
import fp from 'fastify-plugin';
import type { Clock } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';

/** Times in epoch milliseconds. */
export interface Deprecation {
  readonly deprecatedAt: number;
  /** From then on the operation responds with 410; not before `deprecatedAt`. */
  readonly sunsetAt?: number;
  /** The path of the operation that replaces it. */
  readonly successor?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly deprecation?: Deprecation;
  }
}

export interface DeprecationOptions {
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Announces the end of deprecated operations. @throws Problem gone after the sunset, for every caller */
export const deprecations = fp<DeprecationOptions>(async (app, { clock, publicUrl }) => {
  app.addHook('onRequest', ({ routeConfig }, _reply, done) => {
    const sunsetAt = routeConfig.deprecation?.sunsetAt;
    done(sunsetAt !== undefined && clock() >= sunsetAt ? new Problem('gone') : undefined);
  });
  app.addHook('onRoute', (route) => {
    const deprecation = route.config?.deprecation;
    if (deprecation === undefined) return;
    const { link, ...headers } = getDeprecationHeaders(deprecation, publicUrl);
    // Also of error responses.
    // biome-ignore lint/complexity/useMaxParams: the signature of Fastify's hook
    route.onSend = (_request, reply, payload, done) => {
      const own = reply.getHeader('link');
      reply.headers({ ...headers, link: own === undefined ? link : [link, String(own)] });
      done(null, payload);
    };
  });
});

/** Returns Deprecation (RFC 9745), Sunset (RFC 8594) if a date is set, and links to the policy and the successor. */
export function getDeprecationHeaders({ deprecatedAt, sunsetAt, successor }: Deprecation, publicUrl: string) {
  const links = [`<${publicUrl}/docs/lifecycle>; rel="deprecation"; type="text/html"`];
  if (successor !== undefined) links.push(`<${publicUrl}${successor}>; rel="successor-version"`);
  return {
    deprecation: `@${Math.floor(deprecatedAt / 1000)}`,
    ...(sunsetAt === undefined ? {} : { sunset: new Date(sunsetAt).toUTCString() }),
    link: links.join(', '),
  };
}
