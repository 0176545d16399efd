/** The JSON Schema (2020-12) of the answers to a form: it accepts exactly what `checkAnswers` accepts. */
import { type Definition, type Field, MAX_TEXT_LENGTH } from '../definitions/definition.ts';
import { EMAIL_PATTERN, LINE_PATTERN, MAX_EMAIL_LENGTH, TEXT_PATTERN } from './check-answers.ts';
import { DATE_PATTERN } from './dates.ts';

type Schema = Readonly<Record<string, unknown>>;

const NOT_ANSWERED: Schema = { enum: [null, ''] };

/** To be evaluated with the assertion of formats. Validators that read inherited members need own ones only. */
export function createAnswersSchema({ title, description, fields }: Definition): Schema {
  const entries = fields.map((field) => [field.label, describeField(field)] as const);
  // Validators in JavaScript read `__proto__` of an object of properties as its prototype.
  const [hostile, ordinary] = [true, false].map((isHostile) =>
    entries.filter(([label]) => (label === '__proto__') === isHostile),
  ) as [typeof entries, typeof entries];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(description === null ? {} : { description }),
    type: 'object',
    required: fields.filter(({ is_required }) => is_required).map(({ label }) => label),
    properties: Object.fromEntries(ordinary),
    ...(hostile.length === 0 ? {} : { patternProperties: { '^__proto__$': hostile[0]![1] } }),
    additionalProperties: false,
  };
}

function describeField(field: Field): Schema {
  const { title = field.label, help } = field;
  const named = { title, ...(help === undefined ? {} : { description: help }) };
  const schema = SCHEMAS[field.type](field);
  return field.is_required ? { ...named, ...schema } : { ...named, anyOf: [NOT_ANSWERED, schema] };
}

const SCHEMAS: Readonly<Record<Field['type'], (field: Field) => Schema>> = {
  text: ({ is_required, options, multiple, multiline, max_length = MAX_TEXT_LENGTH }) => {
    if (multiple)
      return {
        type: 'array',
        items: { enum: options },
        uniqueItems: true,
        ...(is_required ? { minItems: 1 } : {}),
      };
    if (options !== undefined) return { type: 'string', enum: options };
    const pattern = multiline ? TEXT_PATTERN : LINE_PATTERN;
    const filled = { pattern: pattern.replace('^', '^(?=[\\s\\S]*\\S)'), minLength: 1 };
    return { type: 'string', maxLength: max_length, pattern, ...(is_required ? filled : {}) };
  },
  number: ({ min, max }) => ({ type: 'number', ...bounds('minimum', min), ...bounds('maximum', max) }),
  email: () => ({ type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN }),
  date: ({ min, max }) => ({
    type: 'string',
    format: 'date',
    pattern: DATE_PATTERN,
    ...bounds('formatMinimum', min),
    ...bounds('formatMaximum', max),
  }),
  checkbox: ({ is_required }) => (is_required ? { const: true } : { type: 'boolean' }),
};

function bounds(keyword: string, bound: number | string | undefined): Schema {
  return bound === undefined ? {} : { [keyword]: bound };
}
