/** Reports rejected requests that are recorded as events. */
import { Problem } from '../../problems/problem.ts';
import type { Limiter } from './limiter.ts';

export interface RejectionReport {
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
