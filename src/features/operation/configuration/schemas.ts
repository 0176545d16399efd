import { dataSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { LIMIT_NAMES } from '../../../rate-limits/limits.ts';
import { nullableText, text } from '../../users/member-schemas.ts';

const setting = {
  type: 'object',
  required: ['name', 'value', 'source', 'is_secret', 'is_set'],
  properties: {
    name: { ...text, description: 'Name of the environment variable.' },
    value: {
      ...nullableText,
      description: 'What applies. Null if nothing does, and of secrets; passwords in URLs are masked.',
    },
    source: { type: 'string', enum: ['environment', 'default'] },
    is_secret: { type: 'boolean', description: 'Whether the value is, or may contain, a secret.' },
    is_set: { type: 'boolean', description: 'Whether there is a value, also if it is not shown.' },
  },
} as const satisfies JsonSchema;

const nullableCount = { type: ['integer', 'null'], minimum: 1 } as const satisfies JsonSchema;

const limit = {
  type: 'object',
  required: ['name', 'quota', 'window_seconds'],
  properties: {
    name: { type: 'string', enum: LIMIT_NAMES, description: 'More names may be added.' },
    quota: { ...nullableCount, description: 'Null while the limit is off.' },
    window_seconds: nullableCount,
  },
} as const satisfies JsonSchema;

export const settingsSchema = dataSchema({
  type: 'object',
  required: ['settings', 'limits'],
  properties: {
    settings: { type: 'array', items: setting },
    limits: { type: 'array', items: limit, description: 'The rate limits in force.' },
  },
});
