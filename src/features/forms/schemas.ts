import { type JsonSchema, recordSchema } from '../../lib/schema/json-schema.ts';
import { FIELD_TYPES, LABEL_PATTERN, MAX_LABEL_LENGTH, MIN_LABEL_LENGTH } from './rules.ts';

const label = {
  type: 'string',
  minLength: MIN_LABEL_LENGTH,
  maxLength: MAX_LABEL_LENGTH,
  pattern: LABEL_PATTERN,
} as const satisfies JsonSchema;

const definition = recordSchema({
  label,
  type: { type: 'string', enum: FIELD_TYPES },
  is_required: { type: 'boolean' },
});

/** Used only for the description: rules.ts validates submissions, because its messages differ from those of schemas. */
export const submissionSchema = recordSchema({ fields: { type: 'array', items: definition, minItems: 1 } });

export const noErrorsSchema = recordSchema({
  errors: { type: 'array', items: { type: 'string' }, maxItems: 0 },
});
