/** Operations that return a new token to a user who has one. */
import { type Route, route } from '../../http/route.ts';
import { type CreateTokenDeps, createToken } from './create-token.ts';
import * as examples from './examples.ts';
import { rotateToken } from './rotate-token.ts';
import { createTokenSchema, newTokenSchema, rotateTokenSchema, tokenIdSchema } from './schemas.ts';
import { newTokenResponse } from './token-responses.ts';

const tag = 'Tokens';

export function newTokenRoutes(deps: CreateTokenDeps): Route[] {
  return [createTokenRoute(deps), rotateTokenRoute(deps)];
}

function createTokenRoute(deps: CreateTokenDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/tokens',
    operationId: 'createToken',
    tag,
    summary: 'Create a token',
    description:
      'Returns a token with a name, for a program or a device. It has no scopes that the token of this request lacks. A user has at most 50 tokens: no other token is revoked to make room.',
    access: 'user',
    scope: 'tokens:manage',
    userLimits: ['token-create'],
    idempotent: true,
    body: createTokenSchema,
    bodyExample: examples.tokenRequest,
    responses: {
      201: {
        description: 'The token, which cannot be read again, and its record.',
        schema: newTokenSchema,
        headers: { Location: 'URL of the token.' },
        examples: { created: examples.created },
      },
    },
    problems: ['too_many_tokens'],
    handle: ({ body, caller, transaction }) => {
      const { name, scopes, expires_in: lifetimeSeconds } = body;
      return transaction(async (tx) => {
        const issued = await createToken(deps, tx, { caller, name, scopes, lifetimeSeconds });
        return newTokenResponse(issued, caller, 'Token created');
      });
    },
  });
}

function rotateTokenRoute(deps: CreateTokenDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/tokens/{id}/rotate',
    operationId: 'rotateToken',
    tag,
    summary: 'Replace an own token',
    description:
      'Returns a new token with the same name and scopes, which lives as long as the replaced one was granted to, at most 365 days. Works once per token, which may be that of this request; with an `overlap`, a retry after a lost response is then still authenticated. A token with scopes that the token of this request lacks cannot be rotated.',
    access: 'user',
    scope: 'tokens:manage',
    userLimits: ['token-create'],
    idempotent: true,
    params: tokenIdSchema,
    body: rotateTokenSchema,
    bodyOptional: true,
    bodyExample: { overlap: 3_600 },
    responses: {
      201: {
        description: 'The new token, which cannot be read again, and its record.',
        schema: newTokenSchema,
        headers: { Location: 'URL of the new token.' },
        examples: { rotated: { ...examples.created, message: 'Token rotated' } },
      },
    },
    problems: ['token_not_found', 'token_already_rotated', 'too_many_tokens'],
    handle: ({ body, params, caller, transaction }) => {
      const rotation = { caller, id: params.id, overlapSeconds: body.overlap ?? 0 };
      return transaction(async (tx) => {
        const issued = await rotateToken(deps, tx, rotation);
        return newTokenResponse(issued, caller, 'Token rotated');
      });
    },
  });
}
