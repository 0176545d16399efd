/** The sign-in sessions of single users, for the administrator. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { describeEmpty } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { type SessionRouteDeps, sessionList, sessionView } from '../people/sign-in/session-routes.ts';
import { listLiveSessions } from '../people/sign-in/sessions/queries.ts';
import { findUser, lockUser } from './records/queries.ts';
import { protectRole } from './records/roles.ts';
import { parseUserId, requireUser } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';

const tags = ['User administration'];
const path = '/api/v1/users/:id/sessions';

const listUserSessionsRoute = {
  schema: {
    operationId: 'listUserSessions',
    tags,
    summary: "List a user's sessions",
    description:
      'Returns the browsers in which the user is signed in on the pages of this service, newest first.',
    params: userIdSchema,
    response: { 200: sessionList },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['user_not_found'] },
} as const;

const endUserSessionRoute = {
  schema: {
    operationId: 'endUserSession',
    tags,
    summary: "End one of a user's sessions",
    description:
      'Signs the browser out, and revokes the tokens that applications got in its session. A session of another user gets the response of an unknown id. Only owners end sessions of people with a role.',
    params: idParameters({ id: 'Id of the user.', sessionId: 'Id of a session.' }),
    response: { 204: describeEmpty({ description: 'Ended.' }) },
  },
  config: { access: 'admin', scope: 'tokens:write', problems: ['user_not_found', 'session_not_found'] },
} as const;

export const userSessions: FeaturePlugin<SessionRouteDeps> = async (app, deps) => {
  const { database, clock, signInSessions } = deps;

  app.get(path, listUserSessionsRoute, async ({ params }) => {
    const { id } = requireUser(await findUser(database, parseUserId(params.id)));
    const sessions = await listLiveSessions(database, id, clock());
    return { message: 'Sessions list', data: sessions.map(sessionView) };
  });

  app.delete(`${path}/:sessionId`, endUserSessionRoute, async ({ params }, reply) => {
    await database.transaction(async (tx) => {
      const user = requireUser(await lockUser(tx, parseUserId(params.id)));
      await protectRole(tx, user);
      const session = { id: params.sessionId, userId: user.id };
      if (!(await signInSessions.end(tx, session, 'administrator'))) throw new Problem('session_not_found');
    });
    return reply.code(204).send();
  });
};
