import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { guardFormula } from '../../../lib/text/text.ts';
import type { Field } from '../definitions/definition.ts';
import { createTable } from './export-submissions.ts';
import { findFields, joinOptions } from './fields.ts';

const toVersion = (number: number, fields: readonly Partial<Field>[]) => ({
  number,
  definition: JSON.stringify({
    fields: fields.map((field) => ({ type: 'text', is_required: false, ...field })),
  }),
});
const toRow = (answers: object) => ({
  ...{ id: 'an-id', form_id: 'f', version: 2, received_at: 5, held: 0, held_reason: null, user_id: null },
  answers: JSON.stringify(answers),
});

describe('the table of submissions', () => {
  const days = { label: 'days', multiple: true } as const;

  test('the table of submissions has a column for each option that a version had, and one for single answers', () => {
    const versions = [
      toVersion(1, [
        { label: 'days', options: ['Mon', 'Tue'] },
        { label: 'old', type: 'number', title: 'Old?' },
      ]),
      toVersion(2, [
        { ...days, options: ['Tue', 'Wed'] },
        { label: 'born', type: 'date', title: 'Born on' },
      ]),
      toVersion(3, [
        { ...days, options: ['Wed', 'a;b'], title: 'Which days?' },
        { label: 'born', type: 'date' },
      ]),
    ];
    const { columns, toCells } = createTable(findFields(versions, 3));
    assert.deepEqual(columns.slice(3), [
      { title: 'Which days?', name: 'days' },
      { title: 'Which days? [Tue]', name: 'days:Tue' },
      { title: 'Which days? [Wed]', name: 'days:Wed' },
      { title: 'Which days? [a;b]', name: 'days:a;b' },
      { title: 'born', name: 'born', type: 'date' },
      { title: 'Old?', name: 'old' },
    ]);
    const none = undefined;
    assert.deepEqual(toCells(toRow({ days: 'Mon', old: 0 })), [
      'an-id',
      5,
      2,
      'Mon',
      none,
      none,
      none,
      none,
      0,
    ]);
    assert.deepEqual(toCells(toRow({ days: ['a;b', 'Tue'], born: '2026-01-31' })).slice(3), [
      ...[none, true, false, true],
      ...['2026-01-31', none],
    ]);
    assert.deepEqual(toCells(toRow({})).slice(3), [none, none, none, none, none, none]);
  });

  test('the table of submissions joins options that need more columns than a sheet has, and rejects more fields', () => {
    const options = Array.from({ length: 200 }, (_, index) => `${index}`);
    const toFields = (count: number, field: Partial<Field>) =>
      Array.from({ length: count }, (_, index) => ({ ...field, label: `f${index}` }));
    const wide = createTable(findFields([toVersion(1, toFields(82, { multiple: true, options }))], 1));
    assert.equal(wide.columns.length, 3 + 82);
    assert.deepEqual(wide.toCells(toRow({ f0: ['1', '2'] })).slice(3, 5), ['1; 2', undefined]);
    const most = createTable(findFields([toVersion(1, toFields(16_381, {}))], 1));
    assert.equal(most.columns.length, 16_384);
    const more = findFields([toVersion(1, toFields(16_382, {}))], 1);
    assert.throws(() => createTable(more), { code: 'not_acceptable' });
  });
});

test('a cell of CSV differs for every two answers of several options, guarded or not', () => {
  const characters = [...`;" a='`];
  const grow = (texts: readonly string[]) =>
    texts.flatMap((text) => characters.map((one) => `${text}${one}`));
  const options = [characters, grow(characters), grow(grow(characters))].flat();
  const answers = [[], ...options.flatMap((one) => [[one], ...options.map((other) => [one, other])])];
  const cells = answers.filter(([one, other]) => one !== other || one === undefined).map(joinOptions);
  assert.equal(new Set(cells).size, cells.length);
  assert.equal(new Set(cells.map(guardFormula)).size, cells.length);
  assert.deepEqual([['a', 'b'], ['a;', 'b'], ['a "b"']].map(joinOptions), ['a; b', '"a;"; b', '"a ""b"""']);
});
