import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Field, FieldType } from '../definitions/definition.ts';
import { type FormValues, readPageAnswers } from './page-answers.ts';
import { InexactNumber } from './values.ts';

const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  ...{ label: 'answer', type, is_required: false },
  ...more,
});
const read = (one: Field, values?: readonly string[], hasDecimalComma = false) =>
  readPageAnswers([one], new Map(values === undefined ? [] : [['answer', values]]), hasDecimalComma).get(
    'answer',
  );

describe('readPageAnswers', () => {
  const rows: [one: Field, sent: readonly string[] | undefined, typed: unknown][] = [
    [field('text'), [' a\r\nb '], ' a\r\nb '],
    [field('text'), [''], ''],
    [field('text'), undefined, null],
    [field('text'), ['a', 'b'], ['a', 'b']],
    [field('text', { options: ['a'], multiple: true }), ['a'], ['a']],
    [field('text', { options: ['a'], multiple: true }), undefined, null],
    [field('email'), [' A@b.cd\t'], 'A@b.cd'],
    [field('date'), [' 2026-01-31'], ' 2026-01-31'],
    [field('checkbox'), undefined, false],
    ...['on', 'true', '1'].map((sent): (typeof rows)[0] => [field('checkbox'), [sent], true]),
    ...['off', 'false', '0', 'ON', ' 1'].map((sent): (typeof rows)[0] => [field('checkbox'), [sent], sent]),
    [field('checkbox'), ['0', '1'], ['0', '1']],
    [field('number'), [' -1.50e+1 '], -15],
    [field('number'), ['0'], 0],
    [field('number'), [' '], ''],
    ...['1,5', '01', '+1', '.5', '1.', '0x1', 'Infinity', 'NaN', '1_0', '١', 'null', '1 000'].map(
      (sent): (typeof rows)[0] => [field('number'), [sent], sent],
    ),
  ];
  for (const [one, sent, typed] of rows)
    test(`readPageAnswers reads ${JSON.stringify(sent)} of a field of type ${one.type}${one.multiple ? ' with several options' : ''} as ${JSON.stringify(typed)}`, () =>
      assert.deepEqual(read(one, sent), typed));

  const PERCENT = field('number', { title: 'Discount in %' });
  const numbers: [one: Field, sent: string, inPoints: unknown, inCommas: unknown][] = [
    [field('number'), '3,5', '3,5', 3.5],
    [field('number'), ' -0,50e1 ', '-0,50e1', -5],
    [field('number'), '1,500', '1,500', 1.5],
    [field('number'), '3.5', 3.5, 3.5],
    [field('number'), '1.500', 1.5, '1.500'],
    [field('number'), '-12.345', -12.345, '-12.345'],
    [field('number'), '0.125', 0.125, 0.125],
    [field('number'), '1500.250', 1500.25, 1500.25],
    ...['1.500,5', '1,500.5', '1,5,0', ',5', '5,', '01,5', '5 €'].map((sent): (typeof numbers)[0] => [
      field('number'),
      sent,
      sent,
      sent,
    ]),
    [field('number'), '5 %', '5 %', '5 %'],
    [PERCENT, '5 %', 5, 5],
    [PERCENT, '2.5\u202f%', 2.5, 2.5],
    [field('number', { help: 'From 0 % to 100 %.' }), '2,5%', '2,5%', 2.5],
    [PERCENT, '%', '%', '%'],
    [PERCENT, '5 %%', '5 %%', '5 %%'],
  ];
  for (const [one, sent, inPoints, inCommas] of numbers)
    test(`readPageAnswers reads ${JSON.stringify(sent)} of a number ${one.title ?? one.help ?? ''} as ${JSON.stringify(inPoints)}, and as ${JSON.stringify(inCommas)} in a language with a decimal comma`, () =>
      assert.deepEqual([read(one, [sent]), read(one, [sent], true)], [inPoints, inCommas]));

  test('readPageAnswers marks numbers that lose digits', () => {
    for (const sent of ['1e400', '9007199254740993', '1e-400'])
      assert.ok(read(field('number'), [sent]) instanceof InexactNumber, sent);
  });

  test('readPageAnswers keeps unknown names, and leaves out the controls that are no answers', () => {
    const controls = { _redirect: ['https://a.example'], 'submission:website': ['x'], other: ['y'] };
    const values: FormValues = new Map(Object.entries(controls));
    assert.deepEqual([...readPageAnswers([], values)], [['other', ['y']]]);
    const labelled = readPageAnswers([field('text', { label: '_redirect' })], values);
    assert.equal(labelled.get('_redirect'), 'https://a.example');
  });

  test('readPageAnswers reads labels such as __proto__ like any other', () => {
    const labels = ['__proto__', 'constructor', 'toString'];
    const values = new Map(labels.map((label) => [label, [label]]));
    const fields = labels.map((label) => field('text', { label }));
    assert.deepEqual(
      [...readPageAnswers(fields, values)],
      labels.map((label) => [label, label]),
    );
    assert.deepEqual([...readPageAnswers(fields, new Map()).values()], [null, null, null]);
  });
});
