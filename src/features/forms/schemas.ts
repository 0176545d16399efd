import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import { FIELD_TYPES, LABEL_PATTERN, MAX_LABEL_LENGTH, MIN_LABEL_LENGTH } from './rules.ts';

const label = {
  type: 'string',
  minLength: MIN_LABEL_LENGTH,
  maxLength: MAX_LABEL_LENGTH,
  pattern: LABEL_PATTERN,
} as const satisfies JsonSchema;

const definition = {
  type: 'object',
  required: ['label', 'type', 'is_required'],
  properties: { label, type: { type: 'string', enum: FIELD_TYPES }, is_required: { type: 'boolean' } },
} as const satisfies JsonSchema;

/** Used only for the description: rules.ts validates submissions, because its messages differ from those of schemas. */
export const submissionSchema = {
  type: 'object',
  required: ['fields'],
  properties: { fields: { type: 'array', items: definition, minItems: 1 } },
} as const satisfies JsonSchema;

export const noErrorsSchema = {
  type: 'object',
  required: ['errors'],
  properties: { errors: { type: 'array', items: { type: 'string' }, maxItems: 0 } },
} as const satisfies JsonSchema;
