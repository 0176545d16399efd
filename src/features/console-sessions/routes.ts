/** Sign-in and sign-out of the console. Not part of the API, and not in its description. */
import { challenge, type IsAdmin } from '../../http/request/authentication.ts';
import {
  type ConsoleSession,
  checkConsoleRequest,
  sessionToken,
} from '../../http/request/console-request.ts';
import { type Route, route } from '../../http/route.ts';
import { timestamp } from '../../lib/clock.ts';
import { endSession } from './end-session.ts';
import { IDLE_MS } from './rules.ts';
import { sessionResponseSchema, signInSchema } from './schemas.ts';
import { EXPIRED_COOKIE, sessionCookie } from './session-cookie.ts';
import { type StartSessionDeps, startSession } from './start-session.ts';

export interface ConsoleSessionDeps extends StartSessionDeps {
  readonly isAdmin: IsAdmin;
  /** Counts a wrong administrator credential of this client. @throws Problem when its limit is used up */
  readonly countWrongCredential: (clientIp: string) => Promise<void>;
  readonly publicUrl: string;
}

/** As much as a header can hold: a longer credential could not be sent there either. */
const MAX_BODY_BYTES = 16 * 1024;
const path = '/console/session';
const tag = 'Console';

export function consoleSessionRoutes(deps: ConsoleSessionDeps): Route[] {
  return [signInRoute(deps), sessionRoute(), signOutRoute(deps)];
}

function signInRoute(deps: ConsoleSessionDeps): Route {
  const { isAdmin, countWrongCredential, publicUrl } = deps;
  return route({
    method: 'POST',
    path,
    operationId: 'createConsoleSession',
    tag,
    summary: 'Sign in to the console',
    access: 'public',
    // Nobody can keep the administrator out with requests from the same network. Wrong credentials are counted.
    limits: 'none',
    body: signInSchema,
    maxBodyBytes: MAX_BODY_BYTES,
    responses: { 201: { description: 'The session.', schema: sessionResponseSchema } },
    problems: ['unauthorized', 'console_request_rejected', 'rate_limited_admin_fail'],
    handle: async ({ body, headers, clientIp }) => {
      // Also before sign-in: another page could sign its visitor in to a session that it knows.
      checkConsoleRequest(headers, publicUrl);
      const credential = body.admin_token;
      if (!isAdmin(`Bearer ${credential}`)) {
        await countWrongCredential(clientIp);
        throw challenge('admin');
      }
      const session = await startSession(deps, { credential, previousToken: sessionToken(headers) });
      const response = sessionResponse('Signed in', session);
      return { ...response, status: 201, headers: { 'set-cookie': sessionCookie(session.token) } };
    },
  });
}

function sessionRoute(): Route {
  return route({
    method: 'GET',
    path,
    operationId: 'getConsoleSession',
    tag,
    summary: 'Get the session of the console',
    access: 'admin',
    responses: { 200: { description: 'The session.', schema: sessionResponseSchema } },
    handle: async ({ caller: { session } }) => {
      // Sent with the credential itself instead of a cookie.
      if (session === undefined) throw challenge('admin');
      return sessionResponse('Session of the console', session);
    },
  });
}

function signOutRoute(deps: ConsoleSessionDeps): Route {
  return route({
    method: 'DELETE',
    path,
    operationId: 'deleteConsoleSession',
    tag,
    summary: 'Sign out of the console',
    access: 'public',
    limits: 'none',
    responses: { 204: { description: 'The session has ended, also if it had before.' } },
    problems: ['console_request_rejected'],
    handle: async ({ headers }) => {
      checkConsoleRequest(headers, deps.publicUrl);
      const token = sessionToken(headers);
      if (token !== undefined) await endSession(deps, token);
      // Not Clear-Site-Data: the origin may be that of other applications as well, whose data it would delete.
      return { status: 204, headers: { 'set-cookie': EXPIRED_COOKIE } };
    },
  });
}

function sessionResponse(message: string, { createdAt, expiresAt }: ConsoleSession) {
  const times = { created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) };
  return { status: 200, body: { message, data: { ...times, idle_seconds: IDLE_MS / 1000 } } };
}
