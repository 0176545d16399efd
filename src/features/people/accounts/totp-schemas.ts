/** Schemas of proofs and codes. */
import {
  dataSchema,
  type JsonSchema,
  NOT_BLANK_PATTERN,
  recordSchema,
} from '../../../lib/schema/json-schema.ts';
import { text } from '../../users/records/member-schemas.ts';
import { credentials } from './examples.ts';

/** A password that is compared, without the rules of new ones. */
export const presentedPassword = {
  type: 'string',
  format: 'password',
  pattern: NOT_BLANK_PATTERN,
  description: 'Must not be blank.',
} as const satisfies JsonSchema;

export const currentPassword = {
  ...presentedPassword,
  description:
    'Required: with a token, nothing else proves that it is the user. Accounts without a password are changed on their page.',
} as const satisfies JsonSchema;

export const totpCode = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'A code of the authenticator app, or a recovery code.',
} as const satisfies JsonSchema;

export const challengeSchema = {
  title: 'SecondFactorRequest',
  ...recordSchema({
    challenge: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'The member `challenge` of the response to the login.',
    },
    code: totpCode,
  }),
} as const;

export const proofSchema = {
  title: 'ProofRequest',
  type: 'object',
  properties: { current_password: currentPassword },
} as const satisfies JsonSchema;

/** Access to changes of the own account that need a proof. */
export const PROVEN = {
  access: 'user',
  scope: 'self:write',
  limits: ['login'],
  recentSignIn: 'without password',
} as const;

/** The body of a change that needs nothing else. */
export const proofBody = {
  ...proofSchema,
  examples: [{ current_password: credentials.password }],
} as const;

export const codeSchema = recordSchema({
  code: { ...totpCode, description: 'A code of the authenticator app.' },
});

export const proofWithCodeSchema = {
  title: 'ProofWithCodeRequest',
  type: 'object',
  required: ['code'],
  properties: { current_password: currentPassword, code: totpCode },
} as const satisfies JsonSchema;

export const enrolmentSchema = dataSchema(
  recordSchema({
    secret: { ...text, description: 'The secret in base32, for apps that read no QR code.' },
    uri: { ...text, description: 'The content of the QR code.' },
  }),
);

export const recoveryCodesSchema = {
  title: 'RecoveryCodesResponse',
  ...dataSchema(
    recordSchema({
      recovery_codes: { type: 'array', items: text, description: 'Each logs in once, without the app.' },
    }),
  ),
} as const;
