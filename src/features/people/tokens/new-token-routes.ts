/** Operations that return a new token to a user who has one. */
import { getUserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import { type FeaturePlugin, NAME_PREFIXES } from '../../../lib/routes/routes.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import { describeMessage, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { type CreateTokenDeps, createToken } from './create-token.ts';
import * as examples from './examples.ts';
import { type LogoutScope, logOut } from './revoke-tokens.ts';
import { rotateToken } from './rotate-token.ts';
import * as schemas from './schemas.ts';
import { newTokenResponse } from './token-responses.ts';

const tags = ['Tokens'];
const NEW_TOKEN = {
  access: 'user',
  scope: 'tokens:manage',
  userLimits: ['token-create'],
  idempotent: true,
} as const;

const createTokenRoute = {
  schema: {
    operationId: 'createToken',
    tags,
    summary: 'Create a token',
    description:
      'Returns a token with a name, for a program or a device. It has no scopes that the token of this request lacks. A user has at most 50 tokens: no other token is revoked to make room. A token that an application creates ends with its sign-in session and with the application, which has at most five of a session: the oldest is replaced.',
    body: { ...schemas.createTokenSchema, examples: [examples.tokenRequest] },
    response: {
      201: describeResponse(schemas.newTokenSchema, {
        description: 'The token, which cannot be read again, and its record.',
        headers: { Location: 'URL of the token.' },
        examples: { created: examples.created },
      }),
    },
  },
  config: { ...NEW_TOKEN, problems: ['too_many_tokens'] },
} as const;

const rotateTokenRoute = {
  schema: {
    operationId: 'rotateToken',
    tags,
    summary: 'Replace an own token',
    description:
      'Returns a new token with the same name and scopes, which lives as long as the replaced one was granted to, at most 365 days. Works once per token, which may be that of this request; with an `overlap`, a retry after a lost response is then still authenticated. A token with scopes that the token of this request lacks cannot be rotated.',
    params: schemas.tokenIdSchema,
    body: { ...schemas.rotateTokenSchema, examples: [{ overlap: 3_600 }] },
    response: {
      201: describeResponse(schemas.newTokenSchema, {
        description: 'The new token, which cannot be read again, and its record.',
        headers: { Location: 'URL of the new token.' },
        examples: { rotated: { ...examples.created, message: 'Token rotated' } },
      }),
    },
  },
  config: {
    ...NEW_TOKEN,
    problems: ['token_not_found', 'token_already_rotated', 'too_many_tokens'],
  },
  preValidation: optionalBody,
} as const;

export const newTokens: FeaturePlugin<CreateTokenDeps> = async (app, deps) => {
  app.post('/api/v1/tokens', createTokenRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const caller = getUserCaller(request);
      const { name, scopes, expires_in: lifetimeSeconds } = request.body;
      return {
        store: async (tx) => {
          const issued = await createToken(deps, tx, { caller, name, scopes, lifetimeSeconds });
          return newTokenResponse(issued, caller, 'Token created');
        },
      };
    }),
  );

  app.post('/api/v1/tokens/:id/rotate', rotateTokenRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const caller = getUserCaller(request);
      const rotation = { caller, id: request.params.id, overlapSeconds: request.body.overlap ?? 0 };
      return {
        store: async (tx) => {
          const issued = await rotateToken(deps, tx, rotation);
          return newTokenResponse(issued, caller, 'Token rotated');
        },
      };
    }),
  );
};

const LOGGED_OUT: Readonly<Record<LogoutScope, string>> = {
  current: 'Logged out',
  others: 'Logged out of all other sessions',
  all: 'Logged out of all sessions',
};

const logoutOperation = {
  tags: ['Tokens'],
  summary: 'Log out',
  description:
    'Revokes the token of this request, all others of the user, or both, immediately and on every node. Other tokens than that of this request need the scope `tokens:manage`. The body may be absent. Also at `/api/v1/logout`.',
  body: { ...schemas.logoutSchema, examples: [{ scope: 'all' }] },
  response: {
    200: describeMessage('The tokens are revoked.', { revoked: LOGGED_OUT.current, all: LOGGED_OUT.all }),
  },
} as const;

export const logout: FeaturePlugin<DatabaseDeps> = async (app, deps) => {
  for (const { prefix, idSuffix } of NAME_PREFIXES) {
    app.post(
      `${prefix}/logout`,
      {
        schema: { ...logoutOperation, operationId: `logout${idSuffix}` },
        config: { access: 'user', problems: ['insufficient_scope'] },
        preValidation: optionalBody,
      },
      async (request) => {
        const { scope = 'current' } = request.body;
        await logOut(deps, getUserCaller(request), scope);
        return { message: LOGGED_OUT[scope] };
      },
    );
  }
};
