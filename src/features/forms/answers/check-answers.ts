/**
 * The one check of answers against the fields of a form. Nothing is coerced, dropped or invented but for line breaks, which
 * become LF, and every error is returned: those of the fields in their order, then the answers to unknown fields. No
 * message contains a value. The JSON Schema of a form has the same patterns and bounds.
 */
import { countCodePoints, isStorable } from '../../../lib/text/text.ts';
import { type Field, MAX_TEXT_LENGTH } from '../definitions/definition.ts';
import { InexactNumber, isDate } from './values.ts';

/** Why an answer is rejected. Public: a code never changes its meaning. */
const MESSAGES = {
  required: 'An answer is required.',
  type: 'The answer must be {}.',
  characters: 'The answer has characters that no text can have.',
  line_break: 'The answer must be one line.',
  too_long: 'The answer must not have more than {} characters.',
  option: 'The answer must be one of the options.',
  repeated_option: 'The answer must have each option once.',
  email: 'The answer must be an email address.',
  date: 'The answer must be a date such as 2026-01-31.',
  inexact: 'The number has more digits than can be stored, or is too large.',
  min: 'The answer must not be less than {}.',
  max: 'The answer must not be greater than {}.',
  unknown: 'The form has no such field.',
} as const;

type AnswerCode = keyof typeof MESSAGES;
export type Answer = string | number | boolean | readonly string[];

export interface AnswerError {
  readonly field: string;
  readonly code: AnswerCode;
  readonly message: string;
}

/**
 * Checks answers by label, as parsed from JSON or as an adapter of a page has made them. Returns those that are accepted,
 * in the order of the fields, without those that are not answered; and the errors.
 */
export function checkAnswers(fields: readonly Field[], given: ReadonlyMap<string, unknown>) {
  const answers = new Map<string, Answer>();
  const errors: AnswerError[] = [];
  const reject = (field: string, [code, value]: Failure) =>
    errors.push({ field, code, message: MESSAGES[code].replace('{}', String(value)) });
  for (const field of fields) {
    const value = normalizeLineBreaks(given.get(field.label));
    const isAnswered = value !== undefined && value !== null && value !== '';
    const failure = isAnswered ? checkAnswer(field, value) : field.is_required ? REQUIRED : null;
    if (failure !== null) reject(field.label, failure);
    else if (isAnswered) answers.set(field.label, value as Answer);
  }
  const labels = new Set(fields.map(({ label }) => label));
  for (const label of given.keys()) if (!labels.has(label)) reject(label.toWellFormed(), ['unknown']);
  return { answers, errors };
}

/** Programs send LF and pages CRLF for the same text: each line break counts once. */
function normalizeLineBreaks(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;
}

/** A code, and the value that its message names. */
type Failure = readonly [code: AnswerCode, value?: string | number];

export const MAX_EMAIL_LENGTH = 254;
/**
 * What `<input type=email>` accepts, with a dot in the domain, and dots in the local part only between others. This and
 * the other patterns mean the same with and without the flag `u` and in Python, and have no nested repetitions, which
 * some validators reject.
 */
export const EMAIL_PATTERN =
  "(?!\\.)(?!.*(?:\\.\\.|\\.@))[a-zA-Z0-9.!#\\$%&'*+\\/=?^_`\\{\\|\\}~\\-]+" +
  '@(?=[a-zA-Z0-9][a-zA-Z0-9\\-]*\\.)(?!.*(?:\\.-|-\\.|[a-zA-Z0-9\\-]{64}))[a-zA-Z0-9.\\-]*[a-zA-Z0-9]';
/** A character other than U+0000, lone surrogates and line breaks. */
const LINE_CHARACTER = '[^\\u0000\\uD800-\\uDFFF\\r\\n]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]';
export const LINE_PATTERN = `(?:${LINE_CHARACTER})*`;
/** Returns a pattern of texts with at most so many characters, of which CRLF is one. */
export const createLinesPattern = (maxLength: number): string =>
  `(?:${LINE_CHARACTER}|\\r\\n|\\n|\\r(?!\\n)){0,${maxLength}}`;

const EMAIL = new RegExp(`^${EMAIL_PATTERN}$`, 'u');
const REQUIRED: Failure = ['required'];
const NO_TEXT: Failure = ['type', 'a text'];

/** Returns why a given answer, which is neither null nor the empty text, is rejected; null if it is accepted. */
function checkAnswer(field: Field, value: unknown): Failure | null {
  if (field.type === 'number') return checkNumber(value, field);
  if (field.type === 'checkbox') {
    if (typeof value !== 'boolean') return ['type', 'true or false'];
    return field.is_required && !value ? REQUIRED : null;
  }
  if (field.multiple) return checkChoices(value, field);
  if (typeof value !== 'string') return NO_TEXT;
  if (field.type === 'email') return checkEmail(value);
  if (field.type === 'date') return isDate(value) ? checkBounds(value, field) : ['date'];
  return field.options === undefined ? checkText(value, field) : checkOption(value, field);
}

function checkNumber(value: unknown, field: Field): Failure | null {
  if (value instanceof InexactNumber) return ['inexact'];
  return Number.isFinite(value) ? checkBounds(value as number, field) : ['type', 'a number'];
}

function checkEmail(value: string): Failure | null {
  if (countCodePoints(value) > MAX_EMAIL_LENGTH) return ['too_long', MAX_EMAIL_LENGTH];
  return EMAIL.test(value) ? null : ['email'];
}

function checkText(
  value: string,
  { is_required, multiline, max_length = MAX_TEXT_LENGTH }: Field,
): Failure | null {
  if (!isStorable(value)) return ['characters'];
  if (is_required && !/\S/u.test(value)) return REQUIRED;
  if (!multiline && value.includes('\n')) return ['line_break'];
  return countCodePoints(value) > max_length ? ['too_long', max_length] : null;
}

function checkOption(value: unknown, { options = [] }: Field): Failure | null {
  return options.includes(value as string) ? null : ['option'];
}

function checkChoices(value: unknown, field: Field): Failure | null {
  if (!Array.isArray(value)) return ['type', 'a list of options'];
  if (field.is_required && value.length === 0) return REQUIRED;
  if (value.some((option) => checkOption(option, field) !== null)) return ['option'];
  return new Set(value).size === value.length ? null : ['repeated_option'];
}

function checkBounds<T extends number | string>(value: T, { min, max }: Field): Failure | null {
  if (min !== undefined && value < (min as T)) return ['min', min];
  return max !== undefined && value > (max as T) ? ['max', max] : null;
}
