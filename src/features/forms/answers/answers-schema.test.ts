import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@cfworker/json-schema';
import * as hyperjump from '@hyperjump/json-schema/draft-2020-12';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import ZSchema from 'z-schema';
import { z } from 'zod';
import { exportSchema, field, JUDGED_FORMS } from '../../../../test/support/answer-rules.ts';

type Validate = (answers: unknown) => boolean;

const own = { ownProperties: true, logger: false } as const;
const LONG_LOCAL_PART = 'an email, required: {"answer":"aaaaaaaaaaaaaaaaaaa';
const UNUSUAL_LOCAL_PART = 'an email, required: {"answer":"a$b/c@example.com"}';
/** It reads inherited members. */
const ABSENT_CONSTRUCTOR = 'hostile labels: {"__proto__":1,"toString":"a"}';

/** Validators with the options of docs/forms.md, and the answers about which each differs from the server. */
const VALIDATORS: readonly (readonly [
  name: string,
  draft: '7' | undefined,
  compile: (schema: object) => Validate | Promise<Validate>,
  differences: readonly string[],
])[] = [
  ['Ajv', '7', (schema) => compileByAjv(new Ajv(own), schema), []],
  ['Ajv2020', undefined, (schema) => compileByAjv(new Ajv2020(own), schema), []],
  ['@hyperjump/json-schema', undefined, compileByHyperjump, []],
  ['@cfworker/json-schema', '7', (schema) => compileByCfworker(schema, '7'), [LONG_LOCAL_PART]],
  ['@cfworker/json-schema', undefined, (schema) => compileByCfworker(schema, '2020-12'), [LONG_LOCAL_PART]],
  ['z-schema', '7', compileByZSchema, [LONG_LOCAL_PART]],
  ['z-schema', undefined, compileByZSchema, [LONG_LOCAL_PART]],
  ['zod', '7', compileByZod, [UNUSUAL_LOCAL_PART, ABSENT_CONSTRUCTOR]],
  ['zod', undefined, compileByZod, [UNUSUAL_LOCAL_PART, ABSENT_CONSTRUCTOR]],
];

function compileByAjv(ajv: Ajv | Ajv2020, schema: object): Validate {
  addFormats.default(ajv);
  return ajv.compile(schema);
}

let schemas = 0;
async function compileByHyperjump(schema: object): Promise<Validate> {
  const id = `https://example.com/${schemas++}`;
  hyperjump.registerSchema(schema as never, id);
  const validate = await hyperjump.validate(id);
  return (answers) => validate(answers as never).valid;
}

function compileByCfworker(schema: object, draft: '7' | '2020-12'): Validate {
  const validator = new Validator(schema, draft);
  return (answers) => validator.validate(answers).valid;
}

function compileByZSchema(schema: object): Validate {
  const validator = ZSchema.create({ safe: true });
  const { valid, err } = validator.validateSchema(schema);
  assert.ok(valid, JSON.stringify(err?.details));
  return (answers) => validator.validate(answers, schema).valid;
}

function compileByZod(schema: object): Validate {
  const type = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  return (answers) => type.safeParse(answers).success;
}

describe('schemas of answers', () => {
  for (const [name, draft, compile, expected] of VALIDATORS) {
    test(`${name} and the server accept the same answers by the schema of draft ${draft ?? '2020-12'}`, async () => {
      const differences: string[] = [];
      for (const form of JUDGED_FORMS) {
        const validate = await compile(JSON.parse(exportSchema(form.fields, draft ? { draft } : {})));
        for (const [text, isAccepted] of form.answers)
          if (validate(JSON.parse(text)) !== isAccepted)
            differences.push(`${form.name}: ${text}`.slice(0, 50));
      }
      assert.deepEqual(differences, expected);
    });
  }

  const FIELDS = [
    field('text', { label: 'name', is_required: true, help: 'In full.' }),
    field('date', { label: '2024', title: 'Day', min: '2024-01-01' }),
    field('text', { label: 'color', options: ['red', 'green'] }),
    field('checkbox', { label: 'terms', is_required: true }),
    field('number', { label: 'count', max: 5 }),
  ];

  test('a schema has the fields in their order, with labels such as 2024', () => {
    const labels = exportSchema(FIELDS)
      .matchAll(/"(\w+)":\{"title"/g)
      .map(([, label]) => label);
    assert.deepEqual([...labels], ['name', '2024', 'color', 'terms', 'count']);
  });

  test('a schema has one type for each field, with its empty values where it is optional', () => {
    const { properties, required } = JSON.parse(exportSchema(FIELDS, { patterns: 'no' }));
    assert.deepEqual(required, ['name', 'terms']);
    assert.deepEqual(properties, {
      name: { title: 'name', description: 'In full.', type: 'string', minLength: 1, maxLength: 10_000 },
      2024: { title: 'Day', type: ['string', 'null'] },
      color: { title: 'color', type: ['string', 'null'], enum: ['red', 'green', '', null] },
      terms: { title: 'terms', type: 'boolean', enum: [true] },
      count: { title: 'count', type: ['number', 'null', 'string'], maxLength: 0, maximum: 5 },
    });
  });

  test('a schema of draft 7 differs in $schema only, and one without patterns in patterns only', () => {
    for (const { fields } of JUDGED_FORMS) {
      const schema = exportSchema(fields);
      assert.equal(
        exportSchema(fields, { draft: '7' }),
        schema.replace(
          'https://json-schema.org/draft/2020-12/schema',
          'http://json-schema.org/draft-07/schema#',
        ),
      );
      const without = exportSchema(fields, { patterns: 'no' });
      assert.doesNotMatch(without, /"pattern/);
      // Otherwise, the label is a pattern.
      if (!fields.some(({ label }) => label === '__proto__'))
        assert.equal(without, schema.replace(/,"pattern":"(?:[^"\\]|\\.)*"/g, ''));
    }
  });

  test('patterns mean the same with and without the flag u', () => {
    for (const { name, fields, answers } of JUDGED_FORMS) {
      const { pattern } = JSON.parse(exportSchema(fields)).properties.answer ?? {};
      if (pattern === undefined) continue;
      const [first, ...others] = ['u', '', 'v'].map((flag) => new RegExp(pattern, flag));
      for (const [text] of answers) {
        const { answer = '' } = JSON.parse(text);
        for (const other of others) assert.equal(other.test(answer), first!.test(answer), `${name}: ${text}`);
      }
    }
  });
});
