/** Random forms and answers, and two more judges of them: the exported schema, and the adapter of pages. */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { checkAnswers } from '../../src/features/forms/answers/check-answers.ts';
import { readPageAnswers } from '../../src/features/forms/answers/page-answers.ts';
import { markInexactNumbers } from '../../src/features/forms/answers/values.ts';
import type { Field } from '../../src/features/forms/definitions/definition.ts';
import { parseFormValues } from '../../src/plugins/bodies/form-bodies.ts';
import { exportSchema } from './answer-rules.ts';
import { anyText } from './arbitrary-text.ts';

/** Compiles the exported schema. */
export function compileSchema(fields: readonly Field[]) {
  const ajv = new Ajv2020({ strictTypes: false, ownProperties: true });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(exportSchema(fields)));
}

/**
 * Checks that a page accepts and stores the same answers as JSON, in whose text they are given. Returns whether they were
 * accepted, and null for those that no page can send.
 */
export function assertPageAgrees(fields: readonly Field[], text: string): boolean | null {
  const given: readonly (readonly [label: string, value: unknown])[] = Object.entries(
    JSON.parse(text, markInexactNumbers as never),
  );
  const body = toFormBody(fields, given);
  if (body === null) return null;
  const typed = checkAnswers(fields, new Map(given));
  const paged = checkAnswers(fields, readPageAnswers(fields, parseFormValues(body, 1_000)));
  // No page can send an unknown field without a value.
  const errors = typed.errors.filter(({ code }) => code !== 'unknown');
  assert.deepEqual(paged.errors, errors, text);
  if (typed.errors.length === 0) assert.deepEqual(withoutEmpty(paged), withoutEmpty(typed), text);
  return typed.errors.length === 0;
}

/** Without what a page cannot tell from no answer. */
function withoutEmpty({ answers }: ReturnType<typeof checkAnswers>) {
  return [...answers].filter(([, value]) => value !== false && !(Array.isArray(value) && value.length === 0));
}

/** Returns answers as a page sends them; null for those that no page can send, or that are not written in one way. */
function toFormBody(
  fields: readonly Field[],
  given: readonly (readonly [label: string, value: unknown])[],
): string | null {
  const pairs: [label: string, value: string][] = [];
  for (const [label, value] of given) {
    const { type, multiple } = fields.find((one) => one.label === label) ?? {};
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
    if (value === undefined || value === null || (type === 'checkbox' && value === false)) continue;
    if (multiple && isList) for (const one of value) pairs.push([label, one]);
    else if (type === 'checkbox' && value === true) pairs.push([label, 'on']);
    else if (type === 'number' && typeof value === 'number') pairs.push([label, String(value)]);
    else if (type === 'number' || type === 'checkbox' || multiple || typeof value !== 'string') return null;
    else if (type === 'email' && value.trim() !== value) return null;
    // As browsers send line breaks.
    else pairs.push([label, value.replace(/\r\n?|\n/g, '\r\n')]);
  }
  return new URLSearchParams(pairs).toString();
}

const LABELS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '123', '-a-', 'abc'] as const;

const anyField = (label: string) =>
  fc
    .oneof(
      fc.record(
        {
          type: fc.constant('text' as const),
          multiline: fc.constant(true as const),
          max_length: fc.integer({ min: 1, max: 12 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({
        type: fc.constant('text' as const),
        options: fc.uniqueArray(fc.constantFrom('a', 'b', '0', 'null'), { minLength: 1 }),
      }),
      fc.record({
        type: fc.constant('text' as const),
        options: fc.uniqueArray(fc.constantFrom('a', 'b', '0'), { minLength: 1 }),
        multiple: fc.constant(true as const),
      }),
      fc.record(
        {
          type: fc.constant('number' as const),
          min: fc.integer({ min: -5, max: 5 }),
          max: fc.integer({ min: 5, max: 9 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constantFrom('email' as const, 'checkbox' as const) }),
      fc.record(
        {
          type: fc.constant('date' as const),
          min: fc.constantFrom('0001-01-01', '1999-12-31', '2000-02-29'),
          max: fc.constantFrom('2024-02-29', '2030-10-09', '9999-12-31'),
        },
        { requiredKeys: ['type'] },
      ),
    )
    .chain((members) => fc.boolean().map((is_required) => ({ ...members, label, is_required }) as Field));

const anyFields = fc
  .uniqueArray(fc.constantFrom(...LABELS), { minLength: 1 })
  .chain((labels) => fc.tuple(...labels.map(anyField)));

const digits = fc.integer({ min: 0, max: 40 }).map((value) => String(value).padStart(2, '0'));
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    true,
    false,
    0,
    5,
    'a',
    'b',
    '0',
    'a\nb',
    'a\r\nb',
    [],
    ['a'],
    ['a', 'a'],
    ['b', 'a'],
  ),
  fc
    .tuple(fc.constantFrom('1900', '2000', '2023', '2024', '0000'), digits, digits)
    .map((parts) => parts.join('-')),
  fc
    .tuple(fc.constantFrom('a', 'a.b', '.a', 'a..b', 'A'), fc.constantFrom('b.c', 'b', '-b.c', 'b.c.d'))
    .map((parts) => parts.join('@')),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  anyText({ maxLength: 14 }),
  fc.jsonValue(),
);
/** Values that the field often accepts. */
function plausible({ type, options = [], multiple, multiline }: Field): fc.Arbitrary<unknown> {
  if (multiline) return fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\r\n'), maxLength: 14 });
  if (multiple) return fc.shuffledSubarray([...options]);
  if (options.length > 0) return fc.constantFrom(...options);
  if (type === 'number') return fc.integer({ min: -5, max: 9 });
  if (type === 'checkbox') return fc.constant(true);
  return fc.constantFrom(
    ...{ text: ['a', ' ', 'ab'], email: ['a@b.cd'], date: ['2000-02-29', '2024-02-29'] }[type],
  );
}

/** A value for each field, of which few are wrong, and seldom a value for an unknown one. */
const anyAnswers = (fields: readonly Field[]) => {
  const values = fields.map((one) =>
    fc.oneof(
      { weight: 30, arbitrary: plausible(one) },
      { weight: one.is_required ? 1 : 10, arbitrary: fc.constantFrom(undefined, null, '') },
      { weight: 3, arbitrary: anyValue },
    ),
  );
  const unknown = fc.oneof(
    { weight: 20, arbitrary: fc.constant([]) },
    fc.constant([['other', null]] as const),
  );
  return fc
    .tuple(fc.tuple(...values), unknown)
    .map(([given, more]) => [...fields.map(({ label }, index) => [label, given[index]] as const), ...more]);
};

/** Fields of a form, and a hundred lists of answers to it. */
export const anyForm = anyFields.chain((fields) =>
  fc.record({
    fields: fc.constant(fields),
    lists: fc.array(anyAnswers(fields), { minLength: 100, maxLength: 100 }),
  }),
);
