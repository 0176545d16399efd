/**
 * The one check of answers against the fields of a form. Nothing is coerced, dropped or invented, and every error is
 * returned: those of the fields in their order, then the answers to unknown fields. No message contains a value.
 */
import type { Field } from '../definitions/definition.ts';
import { type AnswerCode, checkAnswer, type Failure, REQUIRED, UNKNOWN } from './rules.ts';

export type Answer = string | number | boolean | readonly string[];

export interface AnswerError extends Failure {
  /** The label of the field. */
  readonly field: string;
  readonly code: AnswerCode;
}

export interface CheckedAnswers {
  /** By label, in the order of the fields. Those that are not answered are absent. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** Empty if the answers are accepted. */
  readonly errors: readonly AnswerError[];
}

/** Answers by label, as parsed from JSON or as an adapter of a page has made them. */
export function checkAnswers(fields: readonly Field[], given: ReadonlyMap<string, unknown>): CheckedAnswers {
  const answers = new Map<string, Answer>();
  const errors: AnswerError[] = [];
  for (const field of fields) {
    const value = given.get(field.label);
    const isAnswered = value !== undefined && value !== null && value !== '';
    const failure = isAnswered ? checkAnswer(field, value) : field.is_required ? REQUIRED : null;
    if (failure !== null) errors.push({ field: field.label, ...failure });
    else if (isAnswered) answers.set(field.label, value as Answer);
  }
  const labels = new Set(fields.map(({ label }) => label));
  for (const label of given.keys())
    if (!labels.has(label)) errors.push({ field: label.toWellFormed(), ...UNKNOWN });
  return { answers, errors };
}
