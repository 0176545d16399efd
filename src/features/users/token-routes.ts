/** The tokens and sign-in sessions of single users, for the administrator. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { Problem } from '../../problems/problem.ts';
import { listLiveSessions } from '../people/sign-in/queries.ts';
import { type SessionRouteDeps, sessionList, sessionView } from '../people/sign-in/session-routes.ts';
import * as examples from '../people/tokens/examples.ts';
import { listLiveTokens } from '../people/tokens/queries.ts';
import { revokeTokenOfUser, revokeTokensOfUser } from '../people/tokens/revoke-tokens.ts';
import type { TokenRouteDeps } from '../people/tokens/routes.ts';
import { userTokenIdSchema, userTokenListSchema } from '../people/tokens/schemas.ts';
import { tokenView } from '../people/tokens/token-responses.ts';
import { findUser } from './records/queries.ts';
import { changeAsAdministrator } from './records/roles.ts';
import { parseUserId, requireUser } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';

const tags = ['User administration'];
const tokensPath = '/api/v1/users/:id/tokens';
const sessionsPath = '/api/v1/users/:id/sessions';

const listUserTokensRoute = {
  schema: {
    operationId: 'listUserTokens',
    tags,
    summary: "List a user's tokens",
    description: 'Returns the valid tokens, newest first, without the token texts: those are not stored.',
    params: userIdSchema,
    response: {
      200: describeResponse(
        userTokenListSchema,
        'At most 50 tokens, and five of each application in each sign-in session.',
        { tokens: examples.userTokenList },
      ),
    },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['user_not_found'] },
} as const;

const revokeUserTokensRoute = {
  schema: {
    operationId: 'revokeUserTokens',
    tags,
    summary: "Revoke a user's tokens",
    description:
      'Ends all sessions of the user, immediately and on every node. The user can log in again. Only owners do so for people with a role.',
    params: userIdSchema,
    response: { 204: describeEmpty({ description: 'All tokens are revoked.' }) },
  },
  config: { access: 'admin', scope: 'tokens:write', problems: ['user_not_found'] },
} as const;

const revokeUserTokenRoute = {
  schema: {
    operationId: 'revokeUserToken',
    tags,
    summary: "Revoke one of a user's tokens",
    description:
      'Ends the session of that token, immediately and on every node. A token of another user gets the response of an unknown id. Only owners do so for people with a role.',
    params: userTokenIdSchema,
    response: { 204: describeEmpty({ description: 'Revoked.' }) },
  },
  config: { access: 'admin', scope: 'tokens:write', problems: ['user_not_found', 'token_not_found'] },
} as const;

export const userTokens: FeaturePlugin<TokenRouteDeps> = async (app, deps) => {
  const { database, clock } = deps;

  app.get(tokensPath, listUserTokensRoute, async ({ params }) => {
    const { id } = requireUser(await findUser(database, parseUserId(params.id)));
    const tokens = await listLiveTokens(database, id, clock());
    return { message: 'Tokens list', data: tokens.map(tokenView) };
  });

  app.delete(tokensPath, revokeUserTokensRoute, async ({ params }, reply) => {
    await revokeTokensOfUser(deps, parseUserId(params.id));
    return reply.code(204).send();
  });

  app.delete(`${tokensPath}/:tokenId`, revokeUserTokenRoute, async ({ params }, reply) => {
    await revokeTokenOfUser(deps, params.tokenId, parseUserId(params.id));
    return reply.code(204).send();
  });
};

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

  app.get(sessionsPath, listUserSessionsRoute, async ({ params }) => {
    const { id } = requireUser(await findUser(database, parseUserId(params.id)));
    const sessions = await listLiveSessions(database, id, clock());
    return { message: 'Sessions list', data: sessions.map(sessionView) };
  });

  app.delete(`${sessionsPath}/:sessionId`, endUserSessionRoute, async ({ params }, reply) => {
    await changeAsAdministrator(database, params.id, async (tx, { id: userId }) => {
      const session = { id: params.sessionId, userId };
      if (!(await signInSessions.end(tx, session, 'administrator'))) throw new Problem('session_not_found');
    });
    return reply.code(204).send();
  });
};
