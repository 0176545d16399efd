/** The tokens of single users, for the administrator. */
import { type Route, route } from '../../http/route.ts';
import { Problem } from '../../problems/problem.ts';
import { findUser } from '../users/queries.ts';
import { parseUserId } from '../users/rules.ts';
import { userIdSchema } from '../users/schemas.ts';
import * as examples from './examples.ts';
import { listLiveTokens } from './queries.ts';
import { revokeTokenOfUser } from './revoke-token.ts';
import { revokeTokensOfUser } from './revoke-tokens.ts';
import type { TokenRouteDeps } from './routes.ts';
import { userTokenIdSchema, userTokenListSchema } from './schemas.ts';
import { tokenView } from './token-view.ts';

const tag = 'Users';
const path = '/api/v1/users/{id}/tokens';

export function tokenAdministrationRoutes(deps: TokenRouteDeps): Route[] {
  return [listUserTokensRoute(deps), revokeUserTokensRoute(deps), revokeUserTokenRoute(deps)];
}

function listUserTokensRoute({ database, clock }: TokenRouteDeps): Route {
  return route({
    method: 'GET',
    path,
    operationId: 'listUserTokens',
    tag,
    summary: "List a user's tokens",
    description: 'Returns the valid tokens, newest first, without the token texts: those are not stored.',
    access: 'admin',
    params: userIdSchema,
    responses: {
      200: {
        description: 'At most 50 tokens.',
        schema: userTokenListSchema,
        examples: { tokens: examples.userTokenList },
      },
    },
    problems: ['user_not_found'],
    handle: async ({ params }) => {
      const id = parseUserId(params.id);
      if ((await findUser(database, id)) === undefined) throw new Problem('user_not_found');
      const tokens = await listLiveTokens(database, id, clock());
      return { status: 200, body: { message: 'Tokens list', data: tokens.map(tokenView) } };
    },
  });
}

function revokeUserTokensRoute(deps: TokenRouteDeps): Route {
  return route({
    method: 'DELETE',
    path,
    operationId: 'revokeUserTokens',
    tag,
    summary: "Revoke a user's tokens",
    description: 'Ends all sessions of the user, immediately and on every node. The user can log in again.',
    access: 'admin',
    params: userIdSchema,
    responses: { 204: { description: 'All tokens are revoked.' } },
    problems: ['user_not_found'],
    handle: async ({ params }) => {
      await revokeTokensOfUser(deps, parseUserId(params.id));
      return { status: 204 };
    },
  });
}

function revokeUserTokenRoute(deps: TokenRouteDeps): Route {
  return route({
    method: 'DELETE',
    path: `${path}/{tokenId}`,
    operationId: 'revokeUserToken',
    tag,
    summary: "Revoke one of a user's tokens",
    description:
      'Ends the session of that token, immediately and on every node. A token of another user gets the response of an unknown id.',
    access: 'admin',
    params: userTokenIdSchema,
    responses: { 204: { description: 'Revoked.' } },
    problems: ['user_not_found', 'token_not_found'],
    handle: async ({ params }) => {
      await revokeTokenOfUser(deps, params.tokenId, parseUserId(params.id));
      return { status: 204 };
    },
  });
}
