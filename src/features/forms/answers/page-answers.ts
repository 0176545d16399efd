/**
 * Adapter of HTML forms: turns the values of `application/x-www-form-urlencoded` into the typed values that
 * `checkAnswers` accepts. What it cannot convert stays as it was sent, so that the check rejects it.
 */
import type { Field } from '../definitions/definition.ts';
import { markInexactNumbers } from './values.ts';

/** Values by the names of the controls, in the order of the body. */
export type FormValues = ReadonlyMap<string, readonly string[]>;

/** Control with the URL that follows a submission from another page, unless a field of the form has this label. */
export const REDIRECT_NAME = '_redirect';
/** Control that people do not see. No label has a colon. */
export const DECOY_NAME = 'submission:website';

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** In a language with a decimal comma, 1500 and 1.5. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;
const TICKED = ['on', 'true', '1'];

/**
 * Returns the values by label. Names that are no label stay, and are rejected by the check.
 * hasDecimalComma: whether the language of the page writes 0.5 as `0,5`.
 */
export function readPageAnswers(fields: readonly Field[], values: FormValues, hasDecimalComma = false) {
  const answers = new Map<string, unknown>(values);
  answers.delete(REDIRECT_NAME);
  answers.delete(DECOY_NAME);
  for (const field of fields)
    answers.set(field.label, readAnswer(field, values.get(field.label) ?? [], hasDecimalComma));
  return answers;
}

function readAnswer(field: Field, values: readonly string[], hasDecimalComma: boolean): unknown {
  const { type, multiple } = field;
  const [value] = values;
  if (value === undefined) return type === 'checkbox' ? false : null;
  if (multiple || values.length > 1) return values;
  if (type === 'number') return readNumber(field, value.trim(), hasDecimalComma);
  if (type === 'checkbox') return TICKED.includes(value) || value;
  return type === 'email' ? value.trim() : value;
}

function readNumber({ title = '', help = '' }: Field, text: string, hasDecimalComma: boolean): unknown {
  if (hasDecimalComma && AMBIGUOUS.test(text)) return text;
  // A question for percent is answered in percent.
  const digits = `${title}${help}`.includes('%') ? text.replace(/\s*%$/, '') : text;
  const source = hasDecimalComma && !digits.includes('.') ? digits.replace(',', '.') : digits;
  return NUMBER.test(source) ? markInexactNumbers('', Number(source), { source }) : text;
}
