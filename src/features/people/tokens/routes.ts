import { getUserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import * as examples from './examples.ts';
import { logout, newTokens } from './new-token-routes.ts';
import { findLiveTokenById, listLiveTokens } from './queries.ts';
import { revokeOtherTokens, revokeToken } from './revoke-tokens.ts';
import * as schemas from './schemas.ts';
import { ownTokenView } from './token-responses.ts';

export interface TokenRouteDeps extends DatabaseDeps {
  readonly settings: CurrentSettingsSource;
}

const tags = ['Tokens'];

const listTokensRoute = {
  schema: {
    operationId: 'listTokens',
    tags,
    summary: 'List own tokens',
    description:
      'Returns the valid tokens of the user, newest first, without the token texts: those are not stored. A refresh token is one of them, without its access tokens.',
    response: {
      200: describeResponse(
        schemas.tokenListSchema,
        'At most 50 tokens, five of each application in each sign-in session, and 20 refresh tokens of each.',
        { tokens: examples.tokenList },
      ),
    },
  },
  config: { access: 'user', scope: 'tokens:manage' },
} as const;

const getOwnTokenRoute = {
  schema: {
    operationId: 'getOwnToken',
    tags,
    summary: 'Get the token of this request',
    description: 'Returns the name, scopes and expiry of the token of this request. Needs no scope.',
    response: {
      200: describeResponse(schemas.ownTokenSchema, 'The token, without its text.', {
        token: examples.ownToken,
      }),
    },
  },
  config: { access: 'user' },
} as const;

const revokeTokenRoute = {
  schema: {
    operationId: 'revokeToken',
    tags,
    summary: 'Revoke an own token',
    description:
      'Ends the session of that token, which may be the current one. A token of another user gets the response of an unknown id.',
    params: schemas.tokenIdSchema,
    response: { 204: describeEmpty({ description: 'Revoked.' }) },
  },
  config: { access: 'user', scope: 'tokens:manage', problems: ['token_not_found'] },
} as const;

const revokeOtherTokensRoute = {
  schema: {
    operationId: 'revokeOtherTokens',
    tags,
    summary: 'Revoke all other own tokens',
    description:
      'Ends all other sessions of the user, immediately and on every node. To end the current one too, log out with the scope `all`.',
    querystring: schemas.revokeParameters,
    response: {
      200: describeResponse(schemas.revokedTokensSchema, 'The other tokens are revoked.', {
        revoked: { message: 'Other tokens revoked', data: { revoked: 3 } },
      }),
    },
  },
  config: { access: 'user', scope: 'tokens:manage', problems: ['invalid_filter'] },
} as const;

/** The tokens of the current user. */
export const tokens: FeaturePlugin<TokenRouteDeps> = async (app, deps) => {
  const { database, clock } = deps;
  await app.register(logout, deps);
  await app.register(newTokens, deps);

  app.get('/api/v1/tokens', listTokensRoute, async (request) => {
    const caller = getUserCaller(request);
    const found = await listLiveTokens(database, caller.userId, clock());
    return { message: 'Tokens list', data: found.map((token) => ownTokenView(token, caller)) };
  });

  app.delete('/api/v1/tokens/:id', revokeTokenRoute, async (request, reply) => {
    await revokeToken(deps, request.params.id, getUserCaller(request).userId);
    return reply.code(204).send();
  });

  app.delete('/api/v1/tokens', revokeOtherTokensRoute, async (request) => {
    const revoked = await revokeOtherTokens(deps, getUserCaller(request));
    return { message: 'Other tokens revoked', data: { revoked } };
  });

  app.get('/api/v1/me/token', getOwnTokenRoute, async (request) => {
    const caller = getUserCaller(request);
    const token = await findLiveTokenById(database, caller.tokenId, clock());
    // Revoked since it was read.
    if (token === undefined) throw new Problem('unauthorized');
    return { message: 'Token', data: ownTokenView(token, caller) };
  });
};
