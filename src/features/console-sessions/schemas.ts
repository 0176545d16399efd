import { dataSchema } from '../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';

export const signInSchema = {
  type: 'object',
  required: ['admin_token'],
  properties: {
    admin_token: { type: 'string', minLength: 1, description: 'An administrator credential.' },
  },
} as const satisfies JsonSchema;

const timestamp = { type: 'string', format: 'date-time' } as const satisfies JsonSchema;

export const sessionResponseSchema = dataSchema({
  type: 'object',
  required: ['created_at', 'expires_at', 'idle_seconds'],
  properties: {
    created_at: timestamp,
    expires_at: { ...timestamp, description: 'When the session ends, however much it is used.' },
    idle_seconds: { type: 'integer', description: 'Time without a request after which it ends.' },
  },
});
