/** Answers to a field of each kind, those that are accepted and those that are not. */
import { formatAnswersSchema, type SchemaOptions } from '../../src/features/forms/answers/answers-schema.ts';
import { checkAnswers } from '../../src/features/forms/answers/check-answers.ts';
import type { Field, FieldType } from '../../src/features/forms/definitions/definition.ts';

/** Returns an optional field. */
export const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  ...{ label: 'answer', type, is_required: false },
  ...more,
});
const OPTIONS = { options: ['red', 'green'] } as const;
const CHOICES = { ...OPTIONS, multiple: true } as const;
/** As long as a label of a domain can be. */
const LABEL = 'b'.repeat(63);
const createEmail = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;

/** Values of one field that are accepted and stored as they are, and those that are rejected, by code. */
export const ANSWER_RULES: readonly (readonly [
  name: string,
  field: Field,
  accepted: readonly unknown[],
  rejected: Readonly<Record<string, readonly unknown[]>>,
])[] = [
  [
    'a text',
    field('text'),
    ['a', ' ', '0', 'null', '😀'.repeat(10_000), "=1+1'", '\u2028', '\ufeff'],
    {
      type: [1, 0, true, false, [], {}, ['a'], { a: 1 }],
      characters: ['\u0000', 'a\ud800', '\udc00b'],
      line_break: ['a\nb', 'a\r', 'a\n', '\n'],
      too_long: ['x'.repeat(10_001)],
    },
  ],
  [
    'a required text',
    field('text', { is_required: true }),
    [' a ', '0', '\u001c', '\u0085', '😀'],
    { required: [' ', '\t\u00a0\u3000', '\u2028\ufeff'], type: [false] },
  ],
  [
    'a text of several lines',
    field('text', { multiline: true }),
    ['a\nb', '\n\n', 'a\r\nb\rc', '\r\n'.repeat(10_000), '😀'.repeat(10_000)],
    { characters: ['\u0000', 'a\ud800'], too_long: ['\r\n'.repeat(10_001), '\r'.repeat(10_001)] },
  ],
  [
    'a short text of several lines',
    field('text', { multiline: true, max_length: 2 }),
    ['a\r\n', '\r\n\r\n', '\r\r\n', '\n\r', '😀\r'],
    { too_long: ['a\r\nb', '\r\n\r\n\r\n', '\r\r\r', '\r\n\n\r\n'] },
  ],
  ['a short text', field('text', { max_length: 2 }), ['ab', '😀😀'], { too_long: ['abc', '😀😀😀'] }],
  ['an option', field('text', OPTIONS), ['red'], { option: ['Red', 'red ', 'blue'], type: [0, ['red']] }],
  [
    'several options',
    field('text', CHOICES),
    [[], ['green', 'red'], ['red']],
    { option: [['blue'], [null], [['red']], [1]], repeated_option: [['red', 'red']], type: ['red', {}, 1] },
  ],
  ['required options', field('text', { ...CHOICES, is_required: true }), [['red']], { required: [[]] }],
  [
    'a number',
    field('number'),
    [0, -1, 1.5, -0.1, 1e21, 1e-7, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER],
    { type: ['1', 'abc', true, [1], {}, '0x10', '1,5'] },
  ],
  ['a number with bounds', field('number', { min: -1, max: 10 }), [-1, 0, 10], { min: [-1.01], max: [10.5] }],
  [
    'an email',
    field('email'),
    ['Ada@Example.COM', "o'hara+x@a--b.example.org", 'a$b/c@example.com', `a@${LABEL}.org`, createEmail(254)],
    {
      email: [
        ...['a@b', 'a', '@example.com', 'a@', '.a@example.com', 'a.@example.com', 'a..b@example.com'],
        ...[
          ...['a@-b.com', 'a@b-.com', 'a@b.-c.org', 'a@b.c-', 'a@b.c.', `a@${LABEL}b.org`],
          'a@b..com',
          ' a@example.com',
          'a@example.com\n',
          'ä@example.com',
          'a\u0000@example.com',
        ],
      ],
      too_long: [createEmail(255)],
      type: [1, ['a@example.com']],
    },
  ],
  [
    'a date',
    field('date'),
    ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2026-04-30'],
    {
      date: [
        ...[
          '2024-02-30',
          '2026-02-30',
          '2023-02-29',
          '1900-02-29',
          '0000-01-01',
          '2024-13-01',
          '2024-00-01',
          '2024-04-31',
        ],
        ...['2024-1-1', '2024-01-01T00:00:00Z', '2024-01-01\n', ' 2024-01-01', '10000-01-01', '٢٠٢٤-٠١-٠١'],
      ],
      type: [20_240_101, {}],
    },
  ],
  [
    'a date with bounds',
    field('date', { min: '2024-01-01', max: '2024-12-31' }),
    ['2024-01-01', '2024-12-31'],
    { min: ['2023-12-31'], max: ['2025-01-01'] },
  ],
  ['a checkbox', field('checkbox'), [true, false], { type: ['true', 'on', 1, 0, []] }],
  ['a required checkbox', field('checkbox', { is_required: true }), [true], { required: [false], type: [1] }],
];

/** A form, and JSON texts of answers to it, with whether the server accepts them. */
export interface JudgedForm {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly answers: readonly (readonly [text: string, isAccepted: boolean])[];
}

const HOSTILE_FIELDS: readonly Field[] = [
  field('number', { label: '__proto__', is_required: true }),
  field('text', { label: 'toString', is_required: true }),
  field('date', { label: 'constructor' }),
  field('checkbox', { label: '123' }),
];
const HOSTILE_ANSWERS = [
  ...[
    '{"__proto__":1,"toString":"a"}',
    '{"__proto__":1,"toString":"a","constructor":"2024-02-29","123":true}',
  ],
  ...['{}', '{"__proto__":1}', '{"toString":"a"}', '{"__proto__":"1","toString":"a"}'],
  ...['{"__proto__":1,"toString":"a","constructor":"b"}', '{"__proto__":1,"toString":"a","valueOf":1}'],
  '{"__proto__":1,"toString":"a","__proto__\\n":1}',
];

/** Each kind of field, required and optional, and a form whose labels are members of all objects of JavaScript. */
export const JUDGED_FORMS: readonly JudgedForm[] = [
  ...ANSWER_RULES.flatMap(([name, one, accepted, rejected]) => {
    const values = [...accepted, ...Object.values(rejected).flat(), null, ''];
    const texts = [...values.map((answer) => JSON.stringify({ answer })), '{}'];
    return [true, false].map((is_required) =>
      judge(`${name}, ${is_required ? 'required' : 'optional'}`, [{ ...one, is_required }], texts),
    );
  }),
  judge('hostile labels', HOSTILE_FIELDS, HOSTILE_ANSWERS),
];

function judge(name: string, fields: readonly Field[], texts: readonly string[]): JudgedForm {
  const isAccepted = (text: string) =>
    checkAnswers(fields, new Map(Object.entries(JSON.parse(text)))).errors.length === 0;
  return { name, fields, answers: texts.map((text) => [text, isAccepted(text)] as const) };
}

/** Returns the exported schema as JSON text. */
export const exportSchema = (fields: readonly Field[], options: SchemaOptions = {}) =>
  formatAnswersSchema({ title: 'Form', description: 'An example.', fields }, options);
