/**
 * Which form-field definitions are valid: every failing member once, with the first of its rules that fails,
 * in the order of the fields and of label, type, is_required.
 */

import { codePointLength } from '../../lib/text.ts';
import type { ProblemDetail } from '../../problems.ts';

export const FIELD_TYPES: readonly string[] = ['text', 'number', 'email', 'date', 'checkbox'];
const LABEL = /^[a-zA-Z0-9_-]+$/;
const MIN_LABEL_LENGTH = 3;
const MAX_LABEL_LENGTH = 50;
/** A body of 1 MiB holds a million failing members: listing them all would answer with 70 times its size. */
const MAX_FAILURES = 10_000;

/** Takes the `fields` member of a submission; gives the first 10,000 failures with their places, none when all is valid. */
export function checkFormFields(fields: unknown): ProblemDetail[] {
  if (!Array.isArray(fields) || fields.length === 0) {
    return [{ pointer: '#/fields', detail: 'Fields array is required' }];
  }
  const failures: ProblemDetail[] = [];
  for (let index = 0; index < fields.length && failures.length < MAX_FAILURES; index++) {
    checkField(fields[index], index, failures);
  }
  // The last field may have brought more than there was room for.
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
  // A flag that is false is present: only a missing one is refused.
  if (isMissing(isRequired)) reject('IsRequired is required', '/is_required');
}

function checkLabel(label: string | null | undefined): string | null {
  if (isMissing(label)) return 'Label is required';
  const length = codePointLength(label);
  if (length < MIN_LABEL_LENGTH || length > MAX_LABEL_LENGTH)
    return 'Label must be between 3 and 50 characters';
  return LABEL.test(label) ? null : 'Label can only contain letters, numbers, underscores, and dashes';
}

interface Definition {
  readonly label?: string | null;
  readonly type?: string | null;
  readonly is_required?: boolean | null;
}

/** An object whose members have the right JSON types, as far as they are there. */
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
