import { recordSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableText, text } from '../../users/records/member-schemas.ts';
import { userSchema } from '../../users/records/schemas.ts';
import { tokenType } from '../schemas.ts';
import { FURTHER_MEMBER_NAMES, MAX_VERIFIED_TOKENS } from './verify-tokens.ts';

export const verifyTokensSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
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
  },
} as const satisfies JsonSchema;

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

export const verificationAlternatives = [{ $ref: 'VerifiedToken' }, several] as const;

/** Either of the alternatives. */
export const verificationSchema = {
  type: 'object',
  properties: { ...verifiedTokenSchema.properties, ...several.properties },
} as const satisfies JsonSchema;
