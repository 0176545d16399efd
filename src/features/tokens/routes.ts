import type { Database } from '../../database/database.ts';
import { type Route, route, type UserCaller } from '../../http/route.ts';
import { type Clock, timestamp } from '../../lib/clock.ts';
import * as examples from './examples.ts';
import { deleteToken, listLiveTokens, type TokenRow } from './queries.ts';
import { revokeToken } from './revoke-token.ts';
import { messageSchema, tokenIdSchema, tokenListSchema } from './schemas.ts';

export interface TokenRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const tag = 'Tokens';

export function tokenRoutes(deps: TokenRouteDeps): Route[] {
  return [logoutRoute(deps), listTokensRoute(deps), revokeTokenRoute(deps)];
}

function logoutRoute({ database }: TokenRouteDeps): Route {
  return route({
    method: 'POST',
    path: '/api/logout',
    operationId: 'logout',
    tag,
    summary: 'Log out',
    description: 'Revokes the token of this request, immediately and on every node.',
    access: 'user',
    responses: {
      200: {
        description: 'The token is revoked.',
        schema: messageSchema,
        examples: { revoked: { message: 'Logged out' } },
      },
    },
    handle: async ({ caller }) => {
      await database.transaction((tx) => deleteToken(tx, caller.tokenId, caller.userId));
      return { status: 200, body: { message: 'Logged out' } };
    },
  });
}

function listTokensRoute({ database, clock }: TokenRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/tokens',
    operationId: 'listTokens',
    tag,
    summary: 'List own tokens',
    description:
      'Returns the valid tokens of the user, newest first, without the token texts: those are not stored.',
    access: 'user',
    scope: 'tokens:manage',
    responses: {
      200: {
        description: 'At most 50 tokens.',
        schema: tokenListSchema,
        examples: { tokens: examples.tokenList },
      },
    },
    handle: async ({ caller }) => {
      const tokens = await listLiveTokens(database, caller.userId, clock());
      const data = tokens.map((token) => tokenView(token, caller));
      return { status: 200, body: { message: 'Tokens list', data } };
    },
  });
}

function revokeTokenRoute({ database }: TokenRouteDeps): Route {
  return route({
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    operationId: 'revokeToken',
    tag,
    summary: 'Revoke an own token',
    description:
      'Ends the session of that token, which may be the current one. A token of another user gets the response of an unknown id.',
    access: 'user',
    scope: 'tokens:manage',
    params: tokenIdSchema,
    responses: { 204: { description: 'Revoked.' } },
    problems: ['token_not_found'],
    handle: async ({ caller, params }) => {
      await revokeToken(database, params.id, caller.userId);
      return { status: 204 };
    },
  });
}

function tokenView(token: TokenRow, caller: UserCaller) {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes.split(' '),
    created_at: timestamp(token.created_at),
    last_used_at: token.last_used_at === null ? null : timestamp(token.last_used_at),
    expires_at: timestamp(token.expires_at),
    current: token.id === caller.tokenId,
  };
}
