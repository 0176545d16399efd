/** Authentication of requests before their body is read, and access to routes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller, FindConsoleSession } from '../../callers/callers.ts';
import { Problem, type ProblemCode } from '../../problems/problem.ts';
import type { Limiter } from '../rate-limits/limiter.ts';
import { toLimitedRequest } from '../rate-limits/rate-limits.ts';
import { getAccessRule } from '../route-table.ts';
import { type Authenticators, authenticate, isAdminAttempt } from './authentication.ts';
import { authenticateConsole, isConsoleRequest } from './console-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request has a credential, valid or not. */
    readonly hasCredential: boolean;
    /** Authenticates the request again, without a use of the session. @throws Problem as the first time */
    authenticateAgain(): Promise<void>;
  }
}

export interface AccessOptions extends Authenticators {
  readonly limiter: Limiter;
  readonly publicUrl: string;
  readonly cookieTag: string;
  /** Null: the console is off, and its cookie is ignored. */
  readonly findConsoleSession: FindConsoleSession | null;
}

/** Decides whether requests have a credential. */
export const credentials = fp<Pick<AccessOptions, 'findConsoleSession' | 'cookieTag'>>(
  async (app, { findConsoleSession, cookieTag }) => {
    app.decorateRequest('hasCredential', {
      getter() {
        if (this.headers.authorization !== undefined) return true;
        return findConsoleSession !== null && isConsoleRequest(getAccessRule(this), this.headers, cookieTag);
      },
    });
  },
);

/**
 * Sets `request.caller`. Errors: Problem unauthorized, console_request_rejected, role_required,
 * role_second_factor_required, insufficient_scope, rate_limited_admin_fail.
 */
export const access = fp<AccessOptions>(async (app, options) => {
  const { findConsoleSession } = options;
  const again: AccessOptions = {
    ...options,
    findConsoleSession: findConsoleSession && ((headers) => findConsoleSession(headers, { isUse: false })),
  };
  app.decorateRequest('authenticateAgain', async function () {
    await authenticateRequest(this, again);
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Without another turn of the event loop for anonymous requests.
    if (!needsAuthentication(request)) done();
    else findCaller(request, reply, options).then(() => done(), done);
  });
});

/** Rejects callers that the operator has excluded from the route. @throws Problem forbidden */
export const closedRoutes = fp(async (app) => {
  app.addHook('onRequest', ({ caller, routeConfig }, _reply, done) => {
    const isClosed = routeConfig.isOpenTo?.(caller) === false;
    done(isClosed ? new Problem('forbidden') : undefined);
  });
});

function needsAuthentication(request: FastifyRequest): boolean {
  const rule = getAccessRule(request);
  return rule.access !== 'public' && (rule.access !== 'optional' || request.hasCredential);
}

const WRONG_CREDENTIAL: readonly ProblemCode[] = ['unauthorized', 'console_request_rejected'];

async function findCaller(request: FastifyRequest, reply: FastifyReply, options: AccessOptions) {
  try {
    request.caller = await authenticateRequest(request, options);
  } catch (error) {
    if (request.hasCredential && error instanceof Problem && WRONG_CREDENTIAL.includes(error.code)) {
      const { authorization } = request.headers;
      // The 256 random bits of a session are not guessed, and one that has ended must not lock the administrator out.
      const isAttempt = authorization !== undefined && isAdminAttempt(getAccessRule(request), authorization);
      const limited = toLimitedRequest(request);
      await options.limiter.credentialRejected(limited, isAttempt ? 'admin' : 'user', reply);
    }
    throw error;
  }
}

function authenticateRequest(request: FastifyRequest, options: AccessOptions): Promise<Caller> {
  const rule = getAccessRule(request);
  // A program that forwards its client does not choose the network from which credentials are used.
  const { headers, senderIp: clientIp } = request;
  const { findConsoleSession, publicUrl, cookieTag } = options;
  if (findConsoleSession === null || !isConsoleRequest(rule, headers, cookieTag))
    return authenticate(rule, { authorization: headers.authorization, clientIp }, options);
  return authenticateConsole(rule, headers, { findConsoleSession, publicUrl });
}

/** Rejects requests of people whose sign-in is too old for them. Errors: Problem recent_sign_in_required. */
export const recentSignIns = fp(async (app) => {
  const toError = (isRejected: boolean) => (isRejected ? new Problem('recent_sign_in_required') : undefined);
  app.addHook('onRequest', ({ caller, routeConfig: { recentSignIn } }, _reply, done) => {
    done(toError(recentSignIn === 'always' && isOld(caller)));
  });
  app.addHook('preHandler', ({ caller, routeConfig: { recentSignIn }, body }, _reply, done) => {
    done(toError(typeof recentSignIn === 'function' && isOld(caller) && recentSignIn(body)));
  });
});

/** Programs and ADMIN_TOKEN prove themselves anew with each request. */
const isOld = (caller: Caller): boolean => caller.kind === 'admin' && caller.session?.isFresh === false;
