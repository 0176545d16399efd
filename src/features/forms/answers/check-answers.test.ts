import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ANSWER_RULES, field } from '../../../../test/support/answer-rules.ts';
import { anyForm, assertPageAgrees, compileSchema } from '../../../../test/support/form-answers.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { parseStrictJson } from '../../../lib/text/strict-json.ts';
import type { Field } from '../definitions/definition.ts';
import { checkAnswers } from './check-answers.ts';
import { markInexactNumbers } from './values.ts';

type Given = readonly (readonly [label: string, value: unknown])[];

/** Returns an answer with LF between its lines. */
const toStored = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : value;

const check = (fields: readonly Field[], given: Given) => checkAnswers(fields, new Map(given));

describe('checkAnswers', () => {
  for (const [name, one, accepted, rejected] of ANSWER_RULES) {
    const validate = compileSchema([one]);
    test(`checkAnswers accepts ${name} unchanged but for line breaks, and so does the schema`, () => {
      for (const value of accepted) {
        const { answers, errors } = check([one], [['answer', value]]);
        assert.deepEqual(errors, [], JSON.stringify(value));
        assert.deepEqual(Object.fromEntries(answers), { answer: toStored(value) });
        assert.equal(validate({ answer: value }), true, JSON.stringify(value));
      }
    });

    test(`checkAnswers rejects other values than ${name} without repeating them, and so does the schema`, () => {
      for (const [code, values] of Object.entries(rejected)) {
        for (const value of values) {
          const { errors } = check([one], [['answer', value]]);
          assert.deepEqual(
            [errors[0]?.field, errors[0]?.code, errors.length],
            ['answer', code, 1],
            `${value}`,
          );
          assert.equal(validate({ answer: value }), false, JSON.stringify(value));
        }
      }
    });

    test(`checkAnswers takes a missing answer, null and "" for no answer to ${name}`, () => {
      for (const given of [[], [['answer', null]], [['answer', '']]] as const) {
        const { answers, errors } = check([one], given);
        assert.deepEqual(pluck(errors, 'code'), one.is_required ? ['required'] : []);
        assert.equal(answers.size, 0);
        assert.equal(validate(Object.fromEntries(given)), !one.is_required);
      }
    });
  }

  test('checkAnswers returns every error in the order of the fields, then the unknown labels', () => {
    const fields = [field('number', { label: 'zzz' }), field('date', { label: 'aaa', is_required: true })];
    const given = [
      ['toString', 'secret'],
      ['zzz', 'secret'],
    ] as const;
    const { errors } = check(fields, given);
    assert.deepEqual(
      errors.map(({ field: label, code }) => [label, code]),
      [
        ['zzz', 'type'],
        ['aaa', 'required'],
        ['toString', 'unknown'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(errors), /secret/);
  });
});

describe('numbers of submissions', () => {
  const one = field('number');
  const codeOf = (source: string) => {
    const body = parseStrictJson(Buffer.from(`{"answer":${source}}`), { reviver: markInexactNumbers });
    return check([one], Object.entries(body as object)).errors[0]?.code;
  };

  test('numbers are rejected if they are too large, or integers that lose digits', () => {
    for (const source of ['1e400', '-1e400', '9007199254740993', '12345678901234567891', '1e-400'])
      assert.equal(codeOf(source), 'inexact', source);
    for (const source of ['9007199254740993.0', '9007199254740993E0', '90071992547409.93e2'])
      assert.equal(codeOf(source), 'inexact', source);
  });

  test('numbers are accepted in every notation that loses nothing', () => {
    for (const source of [
      '9007199254740992',
      '100',
      '-0',
      '0.0',
      '1e2',
      '1E-3',
      '0.1',
      '123456789012345680000',
      '0.012e25',
      '100000000000000000000000',
    ])
      assert.equal(codeOf(source), undefined, source);
  });

  test('a number that JavaScript prints is accepted as it is printed', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        assert.equal(codeOf(JSON.stringify(value)), undefined);
      }),
    );
  });

  test('a number that is too large is the wrong type for a text', () => {
    const body = parseStrictJson(Buffer.from('{"answer":1e400}'), { reviver: markInexactNumbers });
    assert.equal(check([field('text')], Object.entries(body as object)).errors[0]?.code, 'type');
  });
});

test('JSON, the page and the schema of a form accept exactly the same answers', () => {
  let accepted = 0;
  let paged = 0;
  fc.assert(
    fc.property(anyForm, ({ fields, lists }) => {
      const validate = compileSchema(fields);
      for (const given of lists) {
        // As it is sent: text of JSON, with the last of several values.
        const text = JSON.stringify(Object.fromEntries(given));
        const { errors } = check(fields, Object.entries(JSON.parse(text, markInexactNumbers as never)));
        if (errors.length === 0) accepted++;
        assert.equal(validate(JSON.parse(text)), errors.length === 0, `${text} ${JSON.stringify(errors)}`);
        if (assertPageAgrees(fields, text)) paged++;
      }
    }),
    { numRuns: 30 },
  );
  assert.ok(accepted > 500 && paged > 400, `${accepted} were accepted, ${paged} of pages`);
});
