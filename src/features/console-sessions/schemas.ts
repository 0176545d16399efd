import { dataSchema, recordSchema } from '../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import { nullableText, nullableTimestamp, text, timestamp } from '../../lib/schema/members.ts';

/** A code of the app, or a recovery code, with spaces and hyphens as people type them. */
const codeMember = { type: 'string', minLength: 1, maxLength: 64 } as const satisfies JsonSchema;

export const codeSchema = recordSchema({ code: codeMember });

export const totpStateSchema = dataSchema(
  recordSchema({ enabled_at: nullableTimestamp, recovery_codes_left: { type: 'integer' } }),
);

export const enrolmentSchema = dataSchema(recordSchema({ secret: text, uri: text }));

export const recoveryCodesSchema = dataSchema(
  recordSchema({ recovery_codes: { type: 'array', items: text } }),
);

export const signInSchema = {
  type: 'object',
  required: ['credential'],
  properties: {
    credential: { type: 'string', minLength: 1, description: 'The credential of an administrator.' },
    code: codeMember,
  },
} as const satisfies JsonSchema;

export const sessionResponseSchema = dataSchema(
  recordSchema({
    created_at: timestamp,
    expires_at: { ...timestamp, description: 'When the session ends, however much it is used.' },
    idle_seconds: { type: 'integer', description: 'Time without a request after which it ends.' },
    credential: recordSchema({
      id: { ...nullableText, description: 'Null for `ADMIN_TOKEN`.' },
      name: text,
      scopes: { type: 'array', items: text },
    }),
    indexed_metadata: {
      type: 'array',
      items: text,
      description: 'Members of metadata by which users can be filtered.',
    },
  }),
);
