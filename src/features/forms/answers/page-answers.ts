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
const TICKED = ['on', 'true', '1'];

/** Returns the values by label. Names that are no label stay, and are rejected by the check. */
export function readPageAnswers(fields: readonly Field[], values: FormValues): ReadonlyMap<string, unknown> {
  const answers = new Map<string, unknown>(values);
  answers.delete(REDIRECT_NAME);
  answers.delete(DECOY_NAME);
  for (const field of fields) answers.set(field.label, readAnswer(field, values.get(field.label) ?? []));
  return answers;
}

function readAnswer({ type, multiple }: Field, values: readonly string[]): unknown {
  const [value] = values;
  if (value === undefined) return type === 'checkbox' ? false : null;
  if (multiple || values.length > 1) return values;
  return CONVERSIONS[type]?.(value) ?? value;
}

const CONVERSIONS: Partial<Record<Field['type'], (value: string) => unknown>> = {
  number: (value) => {
    const text = value.trim();
    return NUMBER.test(text) ? markInexactNumbers('', Number(text), { source: text }) : text;
  },
  email: (value) => value.trim(),
  checkbox: (value) => TICKED.includes(value) || value,
};
