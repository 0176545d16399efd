/** JSON Web Tokens for services that verify without a request, and the keys to verify them. */
import { hash } from 'node:crypto';
import { getUserCaller } from '../../../callers/callers.ts';
import { isNotModified } from '../../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { closedSchema, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import { allowEveryOrigin } from '../../../plugins/cors.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { text, timestamp } from '../../users/records/member-schemas.ts';
import { type IssueJwtDeps, issueJwt } from './issue-jwt.ts';
import { tokenType } from './schemas.ts';
import { KEY_SET_MAX_AGE_SECONDS } from './signing-keys/key-times.ts';
import { ALGORITHMS } from './signing-keys/queries.ts';
import { NOT_CACHED } from './token-responses.ts';

const issueJwtSchema = closedSchema([], {
  audience: {
    ...text,
    description:
      'The service that will verify the token: one of `JWT_AUDIENCES`. Required if there are several.',
  },
  app_metadata: {
    type: 'boolean',
    default: false,
    description: 'Whether the token has the claim `app_metadata`.',
  },
});

const jwtSchema = {
  title: 'JsonWebToken',
  ...recordSchema({
    token: { ...text, description: 'A JWS in compact serialisation (RFC 7515).' },
    token_type: tokenType,
    expires_in: { type: 'integer', description: 'Seconds until the token expires, at most 300.' },
    expires_at: timestamp,
  }),
} as const satisfies JsonSchema;

const publicKeySchema = {
  title: 'PublicKey',
  type: 'object',
  required: ['kty', 'kid', 'use', 'alg'],
  properties: {
    kty: { type: 'string', enum: ['EC', 'RSA'] },
    crv: { type: 'string', enum: ['P-256'], description: 'With `EC`.' },
    x: { ...text, description: 'With `EC`.' },
    y: { ...text, description: 'With `EC`.' },
    n: { ...text, description: 'With `RSA`.' },
    e: { ...text, description: 'With `RSA`.' },
    kid: { ...text, description: 'The `kid` of the tokens that it verifies.' },
    use: { type: 'string', enum: ['sig'] },
    alg: { type: 'string', enum: ALGORITHMS },
  },
} as const satisfies JsonSchema;

const keySetSchema = {
  title: 'KeySet',
  ...recordSchema({ keys: { type: 'array', items: publicKeySchema } }),
} as const;

const tags = ['Verification'];

const issueJwtRoute = {
  schema: {
    operationId: 'issueJwt',
    tags,
    summary: 'Get a JSON Web Token',
    description:
      'Returns a JSON Web Token (RFC 9068, ES256) of five minutes, or less if the token of this request expires earlier. Services verify it with `GET /.well-known/jwks.json`, without a request for each token: it stays valid when the token of this request is revoked. This API does not accept it. Nothing is stored, and no event is recorded. With 403 (`forbidden`), the operator has not switched these tokens on.',
    body: { ...issueJwtSchema, examples: [{ audience: 'https://orders.example.com', app_metadata: true }] },
    response: {
      200: describeResponse(jwtSchema, 'The token.', {
        token: {
          token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjAxOTM4YzVlLTdhMDAtN2IzYy05ZDFlLTJmNGE2YjhjMGQyZSJ9.e30.c2ln',
          token_type: 'Bearer',
          expires_in: 300,
          expires_at: '2026-01-05T09:35:00.000Z',
        },
      }),
    },
  },
  config: { access: 'user', scope: 'self:read', problems: ['forbidden'], isRecorded: false },
  preValidation: optionalBody,
} as const;

const getKeySetRoute = {
  schema: {
    operationId: 'getKeySet',
    tags,
    summary: 'Get the keys of JSON Web Tokens',
    description:
      'Returns the public keys (JWK Set, RFC 7517) by which JSON Web Tokens of this service are verified. Caches may keep them for five minutes: a key is published long before it signs, and until its last token has expired. Those of ES256 sign the tokens of `POST /api/v1/tokens/jwt`, those of RS256 the ID tokens of applications. There is none until the operator has switched these tokens on or added an application.',
    response: {
      200: describeResponse(keySetSchema, {
        description: 'The keys. A set without keys is not cached.',
        headers: { ETag: 'Changes with the keys.' },
        examples: {
          keys: {
            keys: [
              {
                kty: 'EC',
                crv: 'P-256',
                x: 'FolkXpW1FNP_X2DPGOQSUhHrpOSZRrfCvkA7wMzCOMQ',
                y: 'lvlULMQnb_je-OUvRIPSiq6smL3GHQjl24X3r4X-DwU',
                kid: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e',
                use: 'sig',
                alg: 'ES256',
              },
            ],
          },
        },
      }),
      304: describeEmpty({
        description: 'The client has these keys already (`If-None-Match`).',
        headers: { ETag: 'That of the keys.' },
      }),
    },
  },
  // Applications that are pages verify ID tokens themselves.
  config: { access: 'public', limits: ['documents'], allowOrigin: allowEveryOrigin },
} as const;

export const jsonWebTokens: FeaturePlugin<IssueJwtDeps> = async (app, deps) => {
  app.post('/api/v1/tokens/jwt', issueJwtRoute, async (request, reply) => {
    const { audience, app_metadata: includesAppMetadata = false } = request.body;
    reply.headers(NOT_CACHED);
    return issueJwt(deps, { caller: getUserCaller(request), audience, includesAppMetadata });
  });

  app.get('/.well-known/jwks.json', getKeySetRoute, async ({ headers }, reply) => {
    const keys = await deps.keyRing.listPublicKeys();
    // The first key signs at once, so that nobody may keep a set without it.
    if (keys.length === 0) return { keys };
    const etag = `"${hash('sha256', JSON.stringify(keys), 'hex').slice(0, 32)}"`;
    reply.headers({ 'cache-control': `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`, etag });
    return isNotModified(headers, etag) ? reply.code(304).send() : { keys };
  });
};
