import { FILLED_PATTERN, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import {
  email,
  locale,
  MERGED,
  name,
  password,
  text,
  userMetadata,
  zoneinfo,
} from '../../users/records/member-schemas.ts';
import { userRecordSchema } from '../../users/records/schemas.ts';
import { accessToken, tokenResponseSchema, tokenType } from '../tokens/schemas.ts';
import { challengeSchema, currentPassword, presentedPassword, totpCode } from './totp-schemas.ts';

/** URL to which the page of a link leads afterwards. Its rules are in src/lib/outbound/redirect-policy.ts. */
const redirectTo = {
  type: 'string',
  maxLength: 2_048,
  description: 'URL to which the page of the link leads afterwards, if the operator allows it.',
} as const satisfies JsonSchema;

export const registerSchema = {
  title: 'RegisterRequest',
  type: 'object',
  required: ['name', 'email', 'password'],
  properties: {
    name,
    email,
    password,
    locale: {
      ...locale,
      description: `${locale.description} Without it, the first of Accept-Language.`,
    },
    user_metadata: userMetadata,
    level: {
      'x-ignored': true,
      deprecated: true,
      description:
        'Accepted and ignored, whatever its value. Only the administrator sets the level of a user.',
    },
    redirect_to: redirectTo,
  },
} as const satisfies JsonSchema;

/** Without the rules of registration, so that a login does not reveal the password rules. */
export const loginSchema = {
  title: 'LoginRequest',
  type: 'object',
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', pattern: FILLED_PATTERN, description: 'Must not be blank.' },
    password: presentedPassword,
    code: { ...totpCode, description: `${totpCode.description} Ignored if the user has no second factor.` },
  },
} as const satisfies JsonSchema;

/** The token twice, because clients read either place; the top level is the canonical one. */
export const registeredSchema = {
  title: 'RegisterResponse',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'data'],
  properties: {
    ...tokenResponseSchema.properties,
    data: {
      type: 'object',
      required: ['access_token', 'token_type'],
      properties: { access_token: accessToken, token_type: tokenType },
      description: 'The same token again, for clients that read it here.',
    },
  },
} as const satisfies JsonSchema;

export const requestLinkSchema = {
  type: 'object',
  title: 'EmailRequest',
  required: ['email'],
  properties: { email, redirect_to: redirectTo },
} as const satisfies JsonSchema;

export const loginCodeRequestSchema = { title: 'LoginCodeRequest', ...recordSchema({ email }) } as const;

export const loginCodeSchema = {
  title: 'LoginWithCodeRequest',
  ...recordSchema({
    challenge: {
      ...challengeSchema.properties.challenge,
      description: 'The member `challenge` of the response to the request for the code.',
    },
    code: { ...totpCode, description: 'The code from the mail.' },
  }),
} as const;

export const newPasswordSchema = recordSchema({ password });

export const userPasswordSchema = {
  ...newPasswordSchema,
  additionalProperties: false,
} as const satisfies JsonSchema;

export const SENT_LINKS = ['claim_account', 'reset_password', 'verify_email'] as const;

export const sendLinkSchema = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: { kind: { type: 'string', enum: SENT_LINKS }, redirect_to: redirectTo },
} as const satisfies JsonSchema;

export const passwordChangeSchema = {
  type: 'object',
  required: ['password'],
  properties: { current_password: currentPassword, password },
} as const satisfies JsonSchema;

export const profileChangeSchema = {
  type: 'object',
  properties: {
    name: { ...name, 'x-filled': true },
    email: { ...email, 'x-filled': true },
    current_password: {
      ...currentPassword,
      description: `For another email. ${currentPassword.description}`,
    },
    locale,
    zoneinfo,
    user_metadata: { ...userMetadata, description: `${userMetadata.description} ${MERGED}` },
    redirect_to: redirectTo,
  },
} as const satisfies JsonSchema;

export const changedProfileSchema = {
  ...userRecordSchema,
  properties: {
    ...userRecordSchema.properties,
    pending_email: {
      ...text,
      description: 'The address that has to be confirmed, if this request has asked for another one.',
    },
  },
} as const satisfies JsonSchema;

export const linkTokenSchema = recordSchema({
  token: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description: 'The last segment of the link that was sent by email.',
    examples: ['0Xk3vTqYw8sZb2LrNfGhJd5mPc7uQaEi9oVtRyB4xHn'],
  },
});
