import { SCOPES } from '../../../callers/callers.ts';
import { dataSchema, extendSchema, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { idParameters } from '../../../lib/schema/query-parameters.ts';
import {
  name,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
  uuid,
} from '../../users/records/member-schemas.ts';
import { userIdSchema } from '../../users/records/schemas.ts';
import { MAX_LIFETIME_SECONDS } from './create-token.ts';
import { LOGOUT_SCOPES } from './revoke-tokens.ts';

export const accessToken = {
  type: 'string',
  description: 'Shown once; only its hash is stored.',
} as const satisfies JsonSchema;
export const tokenType = { type: 'string', enum: ['Bearer'] } as const satisfies JsonSchema;
const expiresIn = {
  type: 'integer',
  description: 'Seconds until the token expires.',
} as const satisfies JsonSchema;

export const tokenResponseSchema = recordSchema({
  access_token: accessToken,
  token_type: tokenType,
  expires_in: expiresIn,
});

export const storedTokenSchema = {
  title: 'UserToken',
  ...recordSchema({
    id: uuid,
    name: text,
    first_characters: {
      ...nullableText,
      description: 'The start of the token, to recognise it; null for tokens of earlier releases.',
    },
    scopes: { type: 'array', items: text },
    created_at: timestamp,
    last_used_at: nullableTimestamp,
    expires_at: timestamp,
    device: {
      ...nullableText,
      description:
        'The program that the token was created with, in a few words, such as `Firefox on Windows`. It says so itself: this proves nothing.',
    },
    network: {
      ...nullableText,
      description:
        'The network that the token was created from, as precise as `EVENTS_ADDRESS` says; null after 30 days.',
    },
    last_used_network: {
      ...nullableText,
      description: 'The network of the last use, in the same way; null after 30 days without use.',
    },
  }),
} as const satisfies JsonSchema;

export const tokenSchema = {
  ...extendSchema(storedTokenSchema, {
    current: { type: 'boolean', description: 'Whether it is the token of this request.' },
  }),
  $id: 'Token',
} as const satisfies JsonSchema;

export const newTokenSchema = dataSchema({
  ...extendSchema(tokenSchema, tokenResponseSchema.properties),
  title: 'NewToken',
});

export const ownTokenSchema = dataSchema({ $ref: 'Token' });

export const tokenListSchema = dataSchema({ type: 'array', items: { $ref: 'Token' } });

export const createTokenSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { ...name, maxLength: 100 },
    scopes: {
      type: 'array',
      items: { type: 'string', enum: SCOPES },
      minItems: 1,
      'x-filled': true,
      description: 'At most those of the token of this request, which are the default.',
    },
    expires_in: {
      type: 'integer',
      minimum: 60,
      maximum: MAX_LIFETIME_SECONDS,
      description: 'Seconds until the token expires. The default is that of a login, but at most 365 days.',
    },
  },
} as const satisfies JsonSchema;

export const rotateTokenSchema = {
  type: 'object',
  properties: {
    overlap: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
      default: 0,
      description:
        'Seconds for which the replaced token stays valid, unless it expires earlier. 0 revokes it at once.',
    },
  },
} as const satisfies JsonSchema;

export const logoutSchema = {
  title: 'LogoutRequest',
  type: 'object',
  properties: {
    scope: {
      type: 'string',
      enum: LOGOUT_SCOPES,
      default: 'current',
      'x-filled': true,
      description: 'The tokens to revoke: that of this request, all others of the user, or both.',
    },
  },
} as const satisfies JsonSchema;

export const revokeParameters = recordSchema({
  except: {
    type: 'string',
    enum: ['current'],
    'x-message': 'must be current',
    description: 'Has to be `current`: the token of this request stays valid.',
  },
});

export const revokedTokensSchema = dataSchema(
  recordSchema({ revoked: { type: 'integer', description: 'Number of tokens that were valid.' } }),
);

/** The tokens of any user, for the administrator, whose request has none of them. */
export const userTokenListSchema = dataSchema({ type: 'array', items: storedTokenSchema });

export const tokenIdSchema = idParameters({ id: 'Id of a token, from the list of tokens.' });

export const userTokenIdSchema = {
  type: 'object',
  required: ['id', 'tokenId'],
  properties: { ...userIdSchema.properties, tokenId: tokenIdSchema.properties.id },
} as const satisfies JsonSchema;
