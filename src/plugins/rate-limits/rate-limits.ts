/** Rate limits: hooks that count requests before and after authentication, and set the headers of the limits. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../../problems/problem.ts';
import type { CredentialLimit, UserLimit } from '../../rate-limits/limits.ts';
import { getAccessRule } from '../route-table.ts';
import type { LimitHeaders } from './limit-headers.ts';
import type { LimitedRequest, Limiter, NetworkLimit } from './limiter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limits that count a request besides those of users; default: that of anonymous callers. */
    readonly limits?: readonly NetworkLimit[] | 'none';
    /** Further limits that count a call of a user per user. */
    readonly userLimits?: readonly UserLimit[];
    /** Limits that count a call of an administrator per credential, in place of the general ones. */
    readonly credentialLimits?: readonly CredentialLimit[];
  }
  interface FastifyReply {
    setLimitHeaders(headers: LimitHeaders): void;
    /** Counts the request under a further limit of its network. @throws Problem rate_limited_… */
    countNetwork(limit: NetworkLimit): Promise<void>;
  }
}

/** Counts requests under the limits that need no authentication. Errors: Problem rate_limited_… */
export const anonymousRateLimits = fp<{ readonly limiter: Limiter }>(async (app, { limiter }) => {
  app.decorateReply('setLimitHeaders', function (limitHeaders) {
    this.headers(limitHeaders);
  });
  app.decorateReply('countNetwork', function (limit) {
    const { route, ...request } = toLimitedRequest(this.request);
    return limiter.countNetwork({ ...request, route: { ...route, limits: [limit] } }, this);
  });
  app.addHook('onRequest', (request, reply, done) =>
    settle(() => limiter.beforeAuthentication(toLimitedRequest(request), reply), done),
  );
});

/** Counts the requests of users and of administrators, after the access plugin. Errors: Problem rate_limited_… */
export const userRateLimits = fp<{ readonly limiter: Limiter }>(async (app, { limiter }) => {
  app.addHook('onRequest', (request, reply, done) =>
    settle(() => limiter.afterAuthentication(toLimitedRequest(request), request.caller, reply), done),
  );
});

/** Returns the part of a request that the limiter reads. */
export function toLimitedRequest(request: FastifyRequest): LimitedRequest {
  const { clientIp, hasCredential, method, routeConfig } = request;
  const { limits, userLimits, credentialLimits } = routeConfig;
  const { access } = getAccessRule(request);
  return { route: { access, method, limits, userLimits, credentialLimits }, clientIp, hasCredential };
}

/** Calls `done` at once if the request was counted in memory. */
function settle(counting: () => Promise<void> | undefined, done: (error?: Error) => void): void {
  let pending: Promise<void> | undefined;
  try {
    pending = counting();
  } catch (error) {
    done(error as Error);
    return;
  }
  if (pending === undefined) done();
  else pending.then(() => done(), done);
}

interface RejectionReport {
  /** Called with each login that the limit of a network rejects. */
  loginLimited(clientIp: string): void;
  /** Called with each wrong credential that may have been meant for an administrator's. */
  credentialRejected(clientIp: string): void;
}

/** Returns the limiter with reports of requests that are recorded as events. */
export function reportRejections(limiter: Limiter, report: RejectionReport): Limiter {
  return {
    ...limiter,
    beforeAuthentication(request, sink) {
      const { clientIp, route } = request;
      const counted = limiter.beforeAuthentication(request, sink);
      // Others with this limit change a password.
      if (route.access !== 'public') return counted;
      return counted?.catch((error) => {
        if (error instanceof Problem && error.code === 'rate_limited_login') report.loginLimited(clientIp);
        throw error;
      });
    },
    credentialRejected(request, credential, sink) {
      if (credential === 'admin') report.credentialRejected(request.clientIp);
      return limiter.credentialRejected(request, credential, sink);
    },
  };
}
