import { dataSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableTimestamp, text } from '../../../lib/schema/members.ts';

/** A code of the app, or a recovery code, with spaces and hyphens as people type them. */
export const codeMember = { type: 'string', minLength: 1, maxLength: 64 } as const satisfies JsonSchema;

export const codeSchema = {
  type: 'object',
  required: ['code'],
  properties: { code: codeMember },
} as const satisfies JsonSchema;

export const totpStateSchema = dataSchema({
  type: 'object',
  required: ['enabled_at', 'recovery_codes_left'],
  properties: { enabled_at: nullableTimestamp, recovery_codes_left: { type: 'integer' } },
});

export const enrolmentSchema = dataSchema({
  type: 'object',
  required: ['secret', 'uri'],
  properties: { secret: text, uri: text },
});

export const recoveryCodesSchema = dataSchema({
  type: 'object',
  required: ['recovery_codes'],
  properties: { recovery_codes: { type: 'array', items: text } },
});
