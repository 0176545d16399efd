import type { Database } from '../../database/database.ts';
import { type HandlerContext, type Route, route } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems/problem.ts';
import * as examples from './examples.ts';
import { type LogoutScope, logOut, revokeOtherTokens } from './log-out.ts';
import { newTokenRoutes } from './new-token-routes.ts';
import { listLiveTokens } from './queries.ts';
import { revokeToken } from './revoke-token.ts';
import * as schemas from './schemas.ts';
import { ownTokenView } from './token-responses.ts';

export interface TokenRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly tokenLifetimeSeconds: number;
}

const tag = 'Tokens';

export function tokenRoutes(deps: TokenRouteDeps): Route[] {
  return [
    logoutRoute(deps),
    listTokensRoute(deps),
    ...newTokenRoutes(deps),
    revokeTokenRoute(deps),
    revokeOtherTokensRoute(deps),
  ];
}

const LOGGED_OUT: Readonly<Record<LogoutScope, string>> = {
  current: 'Logged out',
  others: 'Logged out of all other sessions',
  all: 'Logged out of all sessions',
};

function logoutRoute(deps: TokenRouteDeps): Route {
  return route({
    method: 'POST',
    path: '/api/logout',
    operationId: 'logout',
    tag,
    summary: 'Log out',
    description:
      'Revokes the token of this request, all others of the user, or both, immediately and on every node. Other tokens than that of this request need the scope `tokens:manage`. A body that is not a JSON object is ignored.',
    access: 'user',
    body: schemas.logoutSchema,
    bodyOptional: true,
    ignoresInvalidPayload: true,
    bodyExample: { scope: 'all' },
    responses: {
      200: {
        description: 'The tokens are revoked.',
        schema: schemas.messageSchema,
        examples: { revoked: { message: LOGGED_OUT.current }, all: { message: LOGGED_OUT.all } },
      },
    },
    problems: ['insufficient_scope'],
    handle: async ({ body: { scope = 'current' }, caller }) => {
      await logOut(deps, caller, scope);
      return { status: 200, body: { message: LOGGED_OUT[scope] } };
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
        schema: schemas.tokenListSchema,
        examples: { tokens: examples.tokenList },
      },
    },
    handle: async ({ caller }) => {
      const tokens = await listLiveTokens(database, caller.userId, clock());
      const data = tokens.map((token) => ownTokenView(token, caller));
      return { status: 200, body: { message: 'Tokens list', data } };
    },
  });
}

function revokeTokenRoute(deps: TokenRouteDeps): Route {
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
    params: schemas.tokenIdSchema,
    responses: { 204: { description: 'Revoked.' } },
    problems: ['token_not_found'],
    handle: async ({ caller, params }) => {
      await revokeToken(deps, params.id, caller.userId);
      return { status: 204 };
    },
  });
}

function revokeOtherTokensRoute(deps: TokenRouteDeps): Route {
  return route({
    method: 'DELETE',
    path: '/api/v1/tokens',
    operationId: 'revokeOtherTokens',
    tag,
    summary: 'Revoke all other own tokens',
    description:
      'Ends all other sessions of the user, immediately and on every node. To end the current one too, log out with the scope `all`.',
    access: 'user',
    scope: 'tokens:manage',
    query: schemas.revokeParameters,
    requiredQuery: ['except'],
    responses: {
      200: {
        description: 'The other tokens are revoked.',
        schema: schemas.revokedTokensSchema,
        examples: { revoked: { message: 'Other tokens revoked', data: { revoked: 3 } } },
      },
    },
    problems: ['invalid_filter'],
    handle: async ({ caller, query }) => {
      checkExcept(query);
      const revoked = await revokeOtherTokens(deps, caller);
      return { status: 200, body: { message: 'Other tokens revoked', data: { revoked } } };
    },
  });
}

/** Without the parameter, the user would be logged out by mistake. @throws Problem invalid_filter */
function checkExcept({ except }: HandlerContext['query']): void {
  if (except !== 'current') throw new Problem('invalid_filter', { text: 'except must be current' });
}
