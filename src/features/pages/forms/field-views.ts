/** The fields of a form as its page shows them. */
import { type AnswerError, MAX_EMAIL_LENGTH } from '../../forms/answers/check-answers.ts';
import type { FormValues } from '../../forms/answers/page-answers.ts';
import { isDate } from '../../forms/answers/values.ts';
import { type Field, MAX_TEXT_LENGTH } from '../../forms/definitions/definition.ts';
import type { LanguageTexts } from '../../texts/language-file.ts';

/** More options than these are a list. */
const MAX_RADIO_BUTTONS = 6;

interface FieldViewOptions {
  readonly texts: LanguageTexts;
  /** What was typed, to be shown again. */
  readonly values: FormValues;
  readonly errors: readonly AnswerError[];
}

export function toFieldView(field: Field, id: string, { texts, values, errors }: FieldViewOptions) {
  const { label, title = label, is_required } = field;
  const given = values.get(label) ?? [];
  const failure = errors.find((error) => error.field === label);
  const error = failure === undefined ? null : describeError(failure, field, texts);
  const help = field.help ?? describeBounds(field, texts);
  const described = [...(error === null ? [] : [`${id}-error`]), ...(help === null ? [] : [`${id}-help`])];
  return {
    ...{ id, label, title, help, error, given, isRequired: is_required },
    options: field.options ?? [],
    control: getControl(field),
    describedBy: described.join(' '),
    ...getInput(field, given[0] ?? ''),
  };
}

function getControl({ type, options, multiple, multiline }: Field) {
  if (type === 'checkbox') return 'tick';
  if (options === undefined) return multiline ? 'lines' : 'line';
  if (multiple) return 'several';
  return options.length > MAX_RADIO_BUTTONS ? 'list' : 'one';
}

/**
 * Attributes of an input. A browser sends nothing in place of a wrong number and shows no wrong date: such values are
 * texts, so that nothing typed gets lost.
 */
function getInput({ type, min, max }: Field, value: string) {
  const isPositive = type === 'number' && min !== undefined && Number(min) >= 0;
  const mode = type === 'email' ? 'email' : isPositive ? 'decimal' : null;
  if (type !== 'date' || (value !== '' && !isDate(value))) return { type: 'text', mode, bounds: {} };
  return { type, mode, bounds: { min, max } };
}

/** Returns a bound as people write it. */
function formatBound(bound: number | string | undefined, { language, number }: LanguageTexts): string {
  if (typeof bound !== 'string') return bound === undefined ? '' : number(bound);
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(bound));
}

/** Returns the help for a field whose owner has written none. */
function describeBounds(field: Field, texts: LanguageTexts): string | null {
  const { min, max, max_length: limit } = field;
  if (limit !== undefined) return texts.text('form.max_length', { limit });
  if (field.multiple) return texts.text('form.several');
  if (min === undefined && max === undefined) return null;
  const kind = min === undefined ? 'max' : max === undefined ? 'min' : 'both';
  return texts.text('form.bounds', { kind, min: formatBound(min, texts), max: formatBound(max, texts) });
}

function describeError({ code }: AnswerError, field: Field, texts: LanguageTexts): string {
  const { type, options, multiple, max_length = MAX_TEXT_LENGTH } = field;
  return texts.text(`form.error.${code}`, {
    kind: options === undefined ? type : multiple ? 'several' : 'one',
    example: texts.number(3.5),
    limit: type === 'email' ? MAX_EMAIL_LENGTH : max_length,
    min: formatBound(field.min, texts),
    max: formatBound(field.max, texts),
  });
}
