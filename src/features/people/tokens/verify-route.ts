/** Verification of tokens for services that accept them. */
import type { DatabaseDeps } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { closedSchema, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { nullableText, text } from '../../users/records/member-schemas.ts';
import { userSchema } from '../../users/records/schemas.ts';
import { tokenType } from './schemas.ts';
import { NOT_CACHED } from './token-responses.ts';
import {
  createFindVerifiedTokens,
  FURTHER_MEMBER_NAMES,
  MAX_VERIFIED_TOKENS,
  verifyTokens,
} from './verify-tokens.ts';

const verifyTokensSchema = closedSchema([], {
  token: { ...text, description: 'A token. Either this member or `tokens` is required.' },
  tokens: {
    type: 'array',
    items: text,
    minItems: 1,
    maxItems: MAX_VERIFIED_TOKENS,
    description: 'Several tokens.',
  },
  include: {
    type: 'array',
    items: { type: 'string', enum: FURTHER_MEMBER_NAMES },
    default: [],
    description: 'Further members to return of each valid token.',
  },
});

const { state, user_metadata, app_metadata } = userSchema.properties;
const seconds = (description: string) => ({ type: 'integer', description }) as const;

export const verifiedTokenSchema = {
  $id: 'VerifiedToken',
  type: 'object',
  required: ['active'],
  properties: {
    active: { type: 'boolean', description: 'Whether the token is valid. If not, there is no other member.' },
    sub: { ...text, description: 'Id of the user.' },
    username: { ...text, description: 'Email of the user, if there is one.' },
    scope: { ...text, description: 'The scopes, separated by spaces.' },
    client_id: {
      ...text,
      description:
        'Id of the application that has it, absent if none has. Compare it: tokens of all applications are active.',
    },
    token_type: tokenType,
    exp: seconds('Time of the expiry in seconds since 1970.'),
    iat: seconds('Time of the creation in seconds since 1970.'),
    level: { ...nullableText, description: 'On request by `include`.' },
    state: { ...state, description: 'On request by `include`.' },
    email_verified: { type: 'boolean', description: 'On request by `include`.' },
    user_metadata: { ...user_metadata, description: 'On request by `include`.' },
    app_metadata: { ...app_metadata, description: 'On request by `include`.' },
  },
} as const satisfies JsonSchema;

const several = recordSchema({
  message: text,
  data: {
    type: 'array',
    items: { $ref: 'VerifiedToken' },
    description: 'The results in the order of `tokens`.',
  },
});

const verificationAlternatives = [{ $ref: 'VerifiedToken' }, several] as const;

/** Either of the alternatives. */
const verificationSchema = {
  type: 'object',
  properties: { ...verifiedTokenSchema.properties, ...several.properties },
} as const satisfies JsonSchema;

const EXAMPLE_TOKEN = 'fd_pat_0Xk3vTqYw8sZb2LrNfGhJd5mPc7uQaEi9oVtRyB4xHn2wAj6k';
const ACTIVE = {
  active: true,
  sub: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e',
  username: 'ada@example.com',
  scope: 'self:read self:write tokens:manage',
  token_type: 'Bearer',
  exp: 1_770_197_400,
  iat: 1_767_605_400,
};

const verifyTokensRoute = {
  schema: {
    operationId: 'verifyTokens',
    tags: ['Verification'],
    summary: 'Verify tokens of users',
    description:
      'Says whether a token is valid, and whose it is (token introspection, RFC 7662, with a JSON body). A token that is unknown, expired, revoked or malformed gets `{"active":false}` and nothing else. A revoked token is inactive at once, on every node. One `token` is responded to by its result, up to 100 `tokens` by a list in `data`. Is no use of the token: `last_used_at` stays. Requests are limited per credential.',
    body: {
      ...verifyTokensSchema,
      examples: [{ token: EXAMPLE_TOKEN, include: ['email_verified'] }],
    },
    response: {
      200: describeResponse(verificationSchema, {
        description: 'The result of one token, or the results of several.',
        alternatives: verificationAlternatives,
        examples: {
          active: { ...ACTIVE, email_verified: true },
          inactive: { active: false },
          several: { message: 'Tokens verified', data: [ACTIVE, { active: false }] },
        },
      }),
    },
  },
  config: { access: 'admin', scope: 'tokens:verify', credentialLimits: ['verify'], isRecorded: false },
} as const;

export const tokenVerification: FeaturePlugin<DatabaseDeps> = async (app, { database, clock }) => {
  const deps = { findVerifiedTokens: createFindVerifiedTokens(database, clock) };
  app.post('/api/v1/tokens/verify', verifyTokensRoute, async ({ body }, reply) => {
    const { token, tokens, include = [] } = body;
    reply.headers(NOT_CACHED);
    if (token !== undefined && tokens === undefined) return (await verifyTokens(deps, [token], include))[0]!;
    if (tokens === undefined || token !== undefined) throw eitherRequired(token !== undefined);
    return { message: 'Tokens verified', data: await verifyTokens(deps, tokens, include) };
  });
};

function eitherRequired(hasBoth: boolean) {
  return validationFailed(
    hasBoth
      ? { tokens: ['The tokens field is not allowed beside the token field.'] }
      : { token: ['The token field is required.'] },
  );
}
