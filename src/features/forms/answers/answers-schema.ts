/** The JSON Schema of the answers to a form: it accepts exactly what `checkAnswers` accepts. */
import { type Definition, type Field, MAX_TEXT_LENGTH } from '../definitions/definition.ts';
import { createLinesPattern, EMAIL_PATTERN, LINE_PATTERN, MAX_EMAIL_LENGTH } from './check-answers.ts';
import { createBoundsPattern, DATE_PATTERN } from './values.ts';

/** The end of a text. In Python, `$` also matches before a last line feed. */
const END = '(?![\\s\\S])';
/** What `\S` matches in JavaScript; other languages differ. */
const VISIBLE = '[^\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]';

export interface SchemaOptions {
  readonly draft?: '7';
  readonly patterns?: 'no';
}

/**
 * Returns the schema as JSON text, in which the fields have their order: an object would begin with labels such as `123`.
 * Drafts differ in `$schema` only. Without patterns, the schema accepts more than the form.
 */
export function formatAnswersSchema(
  { title, description, fields }: Definition,
  { draft, patterns }: SchemaOptions = {},
): string {
  const required = fields.filter(({ is_required }) => is_required).map(({ label }) => label);
  const head = {
    $schema: draft
      ? 'http://json-schema.org/draft-07/schema#'
      : 'https://json-schema.org/draft/2020-12/schema',
    ...{ title, description: description ?? undefined, type: 'object', additionalProperties: false },
    // Draft 4 has no empty list.
    required: required.length > 0 ? required : undefined,
  };
  const omit = (keyword: string, value: unknown) => (keyword === 'pattern' && patterns ? undefined : value);
  const format = (members: readonly Field[], toName = (label: string) => label) =>
    `{${members.map((field) => `${JSON.stringify(toName(field.label))}:${JSON.stringify(describeField(field), omit)}`)}}`;
  // Validators in JavaScript read `__proto__` of an object of properties as its prototype.
  const hostile = fields.filter(({ label }) => label === '__proto__' && !patterns);
  const ordinary = fields.filter((field) => !hostile.includes(field));
  const more =
    hostile.length > 0 ? `,"patternProperties":${format(hostile, (label) => `^${label}${END}`)}` : '';
  return `${JSON.stringify(head).slice(0, -1)},"properties":${format(ordinary)}${more}}`;
}

function describeField(field: Field): object {
  const { title = field.label, help: description, is_required } = field;
  const { pattern, ...schema } = SCHEMAS[field.type](field);
  return {
    ...{ title, description },
    ...(is_required ? schema : admitEmpty(schema)),
    pattern: pattern && `^(?:${is_required ? '' : '|'}${pattern})${END}`,
  };
}

/** Admits null and the empty text, which has no format, by one type: some renderers have no input for `anyOf`. */
function admitEmpty({ type, format: _, enum: options, ...schema }: Schema): object {
  if (type !== 'string') return { type: [type, 'null', 'string'], maxLength: 0, ...schema };
  return { type: [type, 'null'], enum: options && [...options, '', null], ...schema };
}

interface Schema {
  readonly type: string;
  /** Of the whole text, without anchors. */
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[] | undefined;
  readonly [keyword: string]: unknown;
}

const SCHEMAS: Readonly<Record<Field['type'], (field: Field) => Schema>> = {
  text: ({ is_required, options, multiple, multiline, max_length = MAX_TEXT_LENGTH }) => {
    const option = { type: 'string', enum: options };
    if (multiple)
      return { type: 'array', items: option, uniqueItems: true, minItems: is_required ? 1 : undefined };
    if (options !== undefined) return option;
    const pattern = multiline ? createLinesPattern(max_length) : LINE_PATTERN;
    // CRLF is one character for the form, and two for JSON Schema.
    const maxLength = multiline ? 2 * max_length : max_length;
    if (!is_required) return { type: 'string', maxLength, pattern };
    return { type: 'string', minLength: 1, maxLength, pattern: `(?=[\\s\\S]*${VISIBLE})${pattern}` };
  },
  number: ({ min: minimum, max: maximum }) => ({ type: 'number', minimum, maximum }),
  email: () => ({ type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN }),
  date: ({ min, max }) => ({
    ...{ type: 'string', format: 'date' },
    pattern: createBoundsPattern(min as string, max as string) + DATE_PATTERN,
  }),
  checkbox: ({ is_required }) => ({ type: 'boolean', enum: is_required ? [true] : undefined }),
};
