import type { Database } from '../../database/database.ts';
import { type Route, route, type UserCaller } from '../../http/route.ts';
import { type Clock, timestamp } from '../../lib/clock.ts';
import { deleteToken, listLiveTokens, type TokenRow } from './queries.ts';
import { revokeToken } from './revoke-token.ts';
import { messageSchema, tokenIdSchema, tokenListSchema } from './schemas.ts';

export interface TokenRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const tag = 'Tokens';

export function tokenRoutes({ database, clock }: TokenRouteDeps): Route[] {
  return [
    route({
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
    }),
    route({
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
          examples: { tokens: exampleList },
        },
      },
      handle: async ({ caller }) => {
        const tokens = await listLiveTokens(database, caller.userId, clock());
        return {
          status: 200,
          body: { message: 'Tokens list', data: tokens.map((row) => tokenView(row, caller)) },
        };
      },
    }),
    route({
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
    }),
  ];
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

const exampleList = {
  message: 'Tokens list',
  data: [
    {
      id: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e',
      name: 'auth_token',
      scopes: ['self:read', 'self:write', 'tokens:manage'],
      created_at: '2026-01-05T09:30:00.000Z',
      last_used_at: '2026-01-06T07:12:31.000Z',
      expires_at: '2026-02-04T09:30:00.000Z',
      current: true,
    },
  ],
};
