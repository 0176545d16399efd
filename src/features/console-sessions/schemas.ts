import {
  dataSchema,
  type JsonSchema,
  nullableText,
  recordSchema,
  text,
  timestamp,
} from '../../lib/schema/json-schema.ts';

export const signInSchema = {
  type: 'object',
  required: ['credential'],
  properties: {
    credential: { type: 'string', minLength: 1, description: 'ADMIN_TOKEN.' },
  },
} as const satisfies JsonSchema;

export const sessionResponseSchema = dataSchema(
  recordSchema({
    created_at: timestamp,
    expires_at: { ...timestamp, description: 'When the session ends, however much it is used.' },
    idle_seconds: { type: 'integer', description: 'Time without a request after which it ends.' },
    credential: recordSchema({
      id: { ...nullableText, description: 'Id of the user; null for `ADMIN_TOKEN`.' },
      name: text,
      role: { ...nullableText, description: 'Null for `ADMIN_TOKEN`.' },
      scopes: { type: 'array', items: text },
    }),
    has_owner: { type: 'boolean', description: 'Whether there is a person with the role `owner`.' },
    indexed_metadata: {
      type: 'array',
      items: text,
      description: 'Members of metadata by which users can be filtered.',
    },
  }),
);
