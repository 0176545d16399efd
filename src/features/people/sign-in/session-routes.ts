/** The sign-in sessions of the current user. */
import { getUserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { dataSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { exampleId, idParameters } from '../../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../../lib/time.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { Problem } from '../../../problems/problem.ts';
import { nullableText, text, timestamp, uuid } from '../../users/records/member-schemas.ts';
import { listLiveSessions, type SessionRow } from './queries.ts';
import type { SignInSessions } from './sessions.ts';

const tags = ['Tokens'];
const path = '/api/v1/me/sessions';

const sessionSchema = {
  title: 'SignInSession',
  ...recordSchema({
    id: uuid,
    amr: { type: 'array', items: text, description: 'How the user signed in (RFC 8176).' },
    created_at: timestamp,
    last_used_at: { ...timestamp, description: 'As of the last five minutes.' },
    expires_at: { ...timestamp, description: 'When it ends, however much it is used.' },
    device: { ...nullableText, description: 'The browser says so itself: this proves nothing.' },
    network: { ...nullableText, description: 'As precise as `EVENTS_ADDRESS` says.' },
  }),
} as const;

/** The response with the sessions of a user. */
export const sessionList = describeResponse(
  dataSchema({ type: 'array', items: sessionSchema }),
  'At most 50 sessions.',
  {
    sessions: {
      message: 'Sessions list',
      data: [
        {
          id: exampleId,
          amr: ['pwd', 'otp'],
          created_at: '2026-01-05T09:30:00.000Z',
          last_used_at: '2026-01-05T10:05:00.000Z',
          expires_at: '2026-02-04T09:30:00.000Z',
          device: 'Firefox on Windows',
          network: '198.51.100.0/24',
        },
      ],
    },
  },
);

const listSessionsRoute = {
  schema: {
    operationId: 'listSessions',
    tags,
    summary: 'List own sessions',
    description: 'Returns the browsers that are signed in on the pages of this service, newest first.',
    response: { 200: sessionList },
  },
  config: { access: 'user', scope: 'tokens:manage' },
} as const;

const endSessionRoute = {
  schema: {
    operationId: 'endSession',
    tags,
    summary: 'End an own session',
    description:
      'Signs the browser out, and revokes the tokens that applications got in its session. A session of another user gets the response of an unknown id.',
    params: idParameters({ id: 'Id of a session.' }),
    response: { 204: describeEmpty({ description: 'Ended.' }) },
  },
  config: { access: 'user', scope: 'tokens:manage', problems: ['session_not_found'] },
} as const;

/** Returns a session as the API shows it to its user and to the administrator. */
export function sessionView({ id, amr, device, network, ...row }: SessionRow) {
  const { created_at, last_used_at, expires_at } = row;
  const times = { created_at, last_used_at, expires_at };
  const formatted = formatTimes(times, ['created_at', 'last_used_at', 'expires_at']);
  return { id, amr: amr.split(' '), ...formatted, device, network };
}

export interface SessionRouteDeps extends DatabaseDeps {
  readonly signInSessions: SignInSessions;
}

export const signInSessions: FeaturePlugin<SessionRouteDeps> = async (
  app,
  { database, clock, signInSessions },
) => {
  app.get(path, listSessionsRoute, async (request) => {
    const sessions = await listLiveSessions(database, getUserCaller(request).userId, clock());
    return { message: 'Sessions list', data: sessions.map(sessionView) };
  });

  app.delete(`${path}/:id`, endSessionRoute, async (request, reply) => {
    const session = { id: request.params.id, userId: getUserCaller(request).userId };
    if (!(await database.transaction((tx) => signInSessions.end(tx, session))))
      throw new Problem('session_not_found');
    return reply.code(204).send();
  });
};
