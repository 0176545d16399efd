/** The session of the console, and the sign-in with ADMIN_TOKEN. */
import { stringifySetCookie } from 'cookie';
import type { FastifyInstance } from 'fastify';
import type { ConsoleSession } from '../../callers/callers.ts';
import type { DatabaseDeps, Reader } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { dataSchema, nullableText, recordSchema, text, timestamp } from '../../lib/schema/json-schema.ts';
import { formatTimestamp } from '../../lib/time.ts';
import type { IsAdmin } from '../../plugins/access/authentication.ts';
import {
  checkConsoleRequest,
  nameSessionCookie,
  sessionToken,
} from '../../plugins/access/console-request.ts';
import { credentialRequired } from '../../problems/challenges.ts';
import type { SignInSessions } from '../people/sign-in/sessions.ts';
import { hasOwner } from '../users/records/queries.ts';
import { LIFETIME_MS } from './rules.ts';
import { endSession, startSession } from './start-session.ts';

const signInSchema = recordSchema({
  credential: { type: 'string', minLength: 1, description: 'ADMIN_TOKEN.' },
});

const sessionResponseSchema = dataSchema(
  recordSchema({
    created_at: timestamp,
    expires_at: { ...timestamp, description: 'When the session ends, however much it is used.' },
    idle_seconds: { type: 'integer', description: 'Time without a request after which it ends.' },
    credential: recordSchema({
      id: { ...nullableText, description: 'Id of the user; null for `ADMIN_TOKEN`.' },
      name: text,
      role: { ...nullableText, description: 'Null for `ADMIN_TOKEN`.' },
      scopes: { type: 'array', items: text },
    }),
    has_owner: { type: 'boolean', description: 'Whether there is a person with the role `owner`.' },
  }),
);

interface ConsoleSessionDeps extends DatabaseDeps {
  readonly secretKey: string;
  readonly isAdmin: IsAdmin;
  /** Counts a wrong credential of this client. @throws Problem when its limit is used up */
  readonly countWrongCredential: (clientIp: string) => Promise<void>;
  readonly signInSessions: SignInSessions;
  readonly publicUrl: string;
  readonly cookieTag: string;
}

/** As much as a header can hold: a longer credential could not be sent there either. */
const MAX_BODY_BYTES = 16 * 1024;
const path = '/console/session';

/** The session of the console. Sign-in and sign-out are not part of the API, and not in its description. */
export const consoleSessions: FeaturePlugin<ConsoleSessionDeps> = async (app, deps) => {
  const { countWrongCredential, publicUrl } = deps;
  app.post(
    path,
    {
      schema: { hide: true, body: signInSchema, response: { 201: sessionResponseSchema } },
      // No other limit: requests from the same network must not lock the administrator out. Wrong credentials are
      // counted.
      config: { access: 'public', limits: 'none' },
      bodyLimit: MAX_BODY_BYTES,
    },
    async ({ body, headers, clientIp }, reply) => {
      // Also before sign-in: another page could sign its visitor in to a session that it knows.
      checkConsoleRequest(headers, publicUrl);
      if (!deps.isAdmin(`Bearer ${body.credential}`)) {
        await countWrongCredential(clientIp);
        throw credentialRequired('admin');
      }
      const session = await startSession(deps, body.credential, sessionToken(headers, deps.cookieTag));
      reply.code(201).header('set-cookie', formatCookie(deps, session.token, LIFETIME_MS / 1000));
      return sessionBody(deps.database, 'Signed in', session);
    },
  );

  app.get(
    path,
    {
      schema: { hide: true, response: { 200: sessionResponseSchema } },
      config: { access: 'admin', scope: 'any' },
    },
    async ({ caller }) => {
      // Without a session, the credential itself was sent instead of a cookie.
      if (caller.kind !== 'admin' || caller.session === undefined) throw credentialRequired('admin');
      return sessionBody(deps.database, 'Session of the console', caller.session);
    },
  );

  addSignOut(app, deps);
};

function addSignOut(app: Pick<FastifyInstance, 'delete'>, deps: ConsoleSessionDeps): void {
  app.delete(
    path,
    { schema: { hide: true }, config: { access: 'public', limits: 'none' } },
    async ({ headers }, reply) => {
      checkConsoleRequest(headers, deps.publicUrl);
      const { database, signInSessions } = deps;
      const token = sessionToken(headers, deps.cookieTag);
      if (token !== undefined) await endSession(deps, token);
      const session = await signInSessions.find(headers, { isUse: false });
      if (session !== undefined) await database.transaction((tx) => signInSessions.end(tx, session));
      // Not Clear-Site-Data: the origin may be that of other applications as well, whose data it would delete.
      return reply
        .code(204)
        .header('set-cookie', [formatCookie(deps, '', 0), signInSessions.expiredCookie(headers)])
        .send();
    },
  );
}

async function sessionBody(reader: Reader, message: string, session: ConsoleSession) {
  const { id, name, role = null, scopes } = session.credential;
  const data = {
    created_at: formatTimestamp(session.createdAt),
    expires_at: formatTimestamp(session.expiresAt),
    idle_seconds: session.idleMs / 1000,
    credential: { id, name, role, scopes },
    has_owner: await hasOwner(reader),
  };
  return { message, data };
}

const ATTRIBUTES = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'strict',
} as const;

/** Returns the Set-Cookie header of a session; with an empty token and 0 seconds, the one that deletes the cookie. */
function formatCookie({ cookieTag }: ConsoleSessionDeps, value: string, maxAge: number): string {
  return stringifySetCookie({ ...ATTRIBUTES, name: nameSessionCookie(cookieTag), value, maxAge });
}
