import { dataSchema, recordSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableTimestamp, text } from '../../../lib/schema/members.ts';

/** A code of the app, or a recovery code, with spaces and hyphens as people type them. */
export const codeMember = { type: 'string', minLength: 1, maxLength: 64 } as const satisfies JsonSchema;

export const codeSchema = recordSchema({ code: codeMember });

export const totpStateSchema = dataSchema(
  recordSchema({ enabled_at: nullableTimestamp, recovery_codes_left: { type: 'integer' } }),
);

export const enrolmentSchema = dataSchema(recordSchema({ secret: text, uri: text }));

export const recoveryCodesSchema = dataSchema(
  recordSchema({ recovery_codes: { type: 'array', items: text } }),
);
