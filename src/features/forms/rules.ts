/**
 * Rules of form-field definitions. Each invalid member is reported once, with the first rule that it violates, in the
 * order of the fields and of label, type, is_required.
 */
import { type JsonSchema, recordSchema } from '../../lib/schema/json-schema.ts';
import { countCodePoints } from '../../lib/text/text.ts';
import type { ProblemDetail } from '../../problems/problem.ts';

const FIELD_TYPES: readonly string[] = ['text', 'number', 'email', 'date', 'checkbox'];
const LABEL_PATTERN = '^[a-zA-Z0-9_-]+$';
const MIN_LABEL_LENGTH = 3;
const MAX_LABEL_LENGTH = 50;
const LABEL = new RegExp(LABEL_PATTERN);
/** A body of 1 MiB can have a million invalid members: the list of all would be 70 times as long as the body. */
const MAX_FAILURES = 10_000;

/** Checks the `fields` member of a submission. Returns the first 10,000 failures, or none if all fields are valid. */
export function checkFormFields(fields: unknown): ProblemDetail[] {
  if (!Array.isArray(fields) || fields.length === 0) {
    return [{ pointer: '#/fields', detail: 'Fields array is required' }];
  }
  const failures: ProblemDetail[] = [];
  for (let index = 0; index < fields.length && failures.length < MAX_FAILURES; index++) {
    checkField(fields[index], index, failures);
  }
  // The last field may have added more than the limit.
  failures.length = Math.min(failures.length, MAX_FAILURES);
  return failures;
}

function checkField(field: unknown, index: number, failures: ProblemDetail[]): void {
  const reject = (detail: string, member: string) => {
    failures.push({ pointer: `#/fields/${index}${member}`, detail });
  };
  if (!isDefinition(field)) {
    reject('invalid field format', '');
    return;
  }
  const { label, type, is_required: isRequired } = field;
  const labelFailure = checkLabel(label);
  if (labelFailure !== null) reject(labelFailure, '/label');
  if (isMissing(type)) reject('Type is required', '/type');
  else if (!FIELD_TYPES.includes(type)) reject('Invalid field type', '/type');
  // false is a valid value: only a missing flag is rejected.
  if (isMissing(isRequired)) reject('IsRequired is required', '/is_required');
}

function checkLabel(label: string | null | undefined): string | null {
  if (isMissing(label)) return 'Label is required';
  const length = countCodePoints(label);
  if (length < MIN_LABEL_LENGTH || length > MAX_LABEL_LENGTH)
    return 'Label must be between 3 and 50 characters';
  return LABEL.test(label) ? null : 'Label can only contain letters, numbers, underscores, and dashes';
}

interface Definition {
  readonly label?: string | null;
  readonly type?: string | null;
  readonly is_required?: boolean | null;
}

/** Returns whether the field is an object whose members, where present, have the right JSON types. */
function isDefinition(field: unknown): field is Definition {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return false;
  const { label = null, type = null, is_required: isRequired = null } = field as Record<string, unknown>;
  return (
    (label === null || typeof label === 'string') &&
    (type === null || typeof type === 'string') &&
    (isRequired === null || typeof isRequired === 'boolean')
  );
}

function isMissing<T>(value: T): value is Extract<T, null | undefined> {
  return value === undefined || value === null || value === ('' as T);
}

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
