/** Rules of answers by the type of the field. The JSON Schema of a form has the same patterns and bounds. */
import { countCodePoints } from '../../../lib/text/text.ts';
import { type Field, MAX_TEXT_LENGTH } from '../definitions/definition.ts';
import { isDate } from './dates.ts';
import { InexactNumber } from './numbers.ts';

/** Why an answer is rejected. Public: a code never changes its meaning. */
export type AnswerCode =
  | 'required'
  | 'type'
  | 'characters'
  | 'line_break'
  | 'too_long'
  | 'option'
  | 'repeated_option'
  | 'email'
  | 'date'
  | 'inexact'
  | 'min'
  | 'max'
  | 'unknown';

export interface Failure {
  readonly code: AnswerCode;
  readonly message: string;
}

export const MAX_EMAIL_LENGTH = 254;
const NAME = '[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?';
/** What `<input type=email>` accepts, with a dot in the domain, and dots in the local part only between others. */
export const EMAIL_PATTERN = `^(?!\\.)(?!.*\\.\\.)(?!.*\\.@)[a-zA-Z0-9.!#$%&'*+\\/=?^_\`\\{\\|\\}~\\-]+@${NAME}(?:\\.${NAME})+$`;
/** Without U+0000 and lone surrogates: with the flag `u`, a pair is one character. */
export const TEXT_PATTERN = '^[^\\u0000\\uD800-\\uDFFF]*$';
export const LINE_PATTERN = '^[^\\u0000\\uD800-\\uDFFF\\r\\n]*$';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
const TEXT = new RegExp(TEXT_PATTERN, 'u');

const fail = (code: AnswerCode, message: string): Failure => ({ code, message });
const NO_TEXT = fail('type', 'The answer must be a text.');
export const REQUIRED = fail('required', 'An answer is required.');
export const UNKNOWN = fail('unknown', 'The form has no such field.');

/** Returns why a given answer, which is neither null nor the empty text, is rejected; null if it is accepted. */
export function checkAnswer(field: Field, value: unknown): Failure | null {
  if (value instanceof InexactNumber)
    return field.type === 'number'
      ? fail('inexact', 'The number has more digits than can be stored, or is too large.')
      : CHECKS[field.type](0, field);
  return CHECKS[field.type](value, field);
}

const CHECKS: Readonly<Record<Field['type'], (value: unknown, field: Field) => Failure | null>> = {
  text: (value, field) => {
    if (field.multiple) return checkChoices(value, field);
    if (typeof value !== 'string') return NO_TEXT;
    return field.options === undefined ? checkText(value, field) : checkOption(value, field);
  },
  number: (value, field) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      return fail('type', 'The answer must be a number.');
    return checkBounds(value, field);
  },
  email: (value) => {
    if (typeof value !== 'string') return NO_TEXT;
    if (countCodePoints(value) > MAX_EMAIL_LENGTH) return tooLong(MAX_EMAIL_LENGTH);
    return EMAIL.test(value) ? null : fail('email', 'The answer must be an email address.');
  },
  date: (value, field) => {
    if (typeof value !== 'string') return NO_TEXT;
    if (!isDate(value)) return fail('date', 'The answer must be a date such as 2026-01-31.');
    return checkBounds(value, field);
  },
  checkbox: (value, { is_required }) => {
    if (typeof value !== 'boolean') return fail('type', 'The answer must be true or false.');
    return is_required && !value ? REQUIRED : null;
  },
};

function checkText(value: string, { is_required, multiline, max_length }: Field): Failure | null {
  if (!TEXT.test(value)) return fail('characters', 'The answer has characters that no text can have.');
  if (is_required && !/\S/u.test(value)) return REQUIRED;
  if (!multiline && /[\r\n]/.test(value)) return fail('line_break', 'The answer must be one line.');
  const max = max_length ?? MAX_TEXT_LENGTH;
  return countCodePoints(value) > max ? tooLong(max) : null;
}

function checkOption(value: unknown, { options = [] }: Field): Failure | null {
  return options.includes(value as string) ? null : fail('option', 'The answer must be one of the options.');
}

function checkChoices(value: unknown, field: Field): Failure | null {
  if (!Array.isArray(value)) return fail('type', 'The answer must be a list of options.');
  if (field.is_required && value.length === 0) return REQUIRED;
  for (const option of value) {
    const failure = checkOption(option, field);
    if (failure !== null) return failure;
  }
  if (new Set(value).size === value.length) return null;
  return fail('repeated_option', 'The answer must have each option once.');
}

function checkBounds<T extends number | string>(value: T, { min, max }: Field): Failure | null {
  if (min !== undefined && value < (min as T)) return fail('min', `The answer must not be less than ${min}.`);
  return max !== undefined && value > (max as T)
    ? fail('max', `The answer must not be greater than ${max}.`)
    : null;
}

function tooLong(max: number): Failure {
  return fail('too_long', `The answer must not have more than ${max} characters.`);
}
