import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { text, timestamp } from '../../users/records/member-schemas.ts';
import { tokenType } from '../schemas.ts';

export const issueJwtSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
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
  },
} as const satisfies JsonSchema;

export const jwtSchema = {
  type: 'object',
  title: 'JsonWebToken',
  required: ['token', 'token_type', 'expires_in', 'expires_at'],
  properties: {
    token: { ...text, description: 'A JWS in compact serialisation (RFC 7515).' },
    token_type: tokenType,
    expires_in: { type: 'integer', description: 'Seconds until the token expires, at most 300.' },
    expires_at: timestamp,
  },
} as const satisfies JsonSchema;

const publicKeySchema = {
  type: 'object',
  title: 'PublicKey',
  required: ['kty', 'crv', 'x', 'y', 'kid', 'use', 'alg'],
  properties: {
    kty: { type: 'string', enum: ['EC'] },
    crv: { type: 'string', enum: ['P-256'] },
    x: text,
    y: text,
    kid: { ...text, description: 'The `kid` of the tokens that it verifies.' },
    use: { type: 'string', enum: ['sig'] },
    alg: { type: 'string', enum: ['ES256'] },
  },
} as const satisfies JsonSchema;

export const keySetSchema = {
  type: 'object',
  title: 'KeySet',
  required: ['keys'],
  properties: { keys: { type: 'array', items: publicKeySchema } },
} as const satisfies JsonSchema;
