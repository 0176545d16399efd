import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertTestSubmissions, NAME_FIELD, publishTestForm } from '../../../../test/support/forms.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { admin, useSharedService } from '../../../../test/support/service.ts';

const FIELDS = [
  NAME_FIELD,
  { label: 'day', type: 'text', is_required: false, options: ['Sat', 'Sun'] },
  { label: 'topics', type: 'text', is_required: false, options: ['a', 'b', 'c'], multiple: true },
  { label: 'people', type: 'number', is_required: false },
  { label: 'consent', type: 'checkbox', is_required: false },
];

const ANSWERS = [
  { full_name: 'Ada Lovelace', day: 'Sat', topics: ['a', 'b'], people: 2, consent: true },
  { full_name: 'Þórdís JÓNSDÓTTIR', day: 'Sun', topics: ['b'], people: 12, consent: false },
  { full_name: 'Ελένη Παπαδοπούλου', day: 'Sat' },
  { full_name: 'true', day: 'Mon' },
];

describeStorage('submissions found by their answers', (engine) => {
  const service = useSharedService(engine);
  const get = async (path: string, query: Readonly<Record<string, string>> = {}) =>
    (await service.api.get(`${path}?${new URLSearchParams(query)}`, admin)).body;
  const toNames = (rows: { answers: { full_name: string } }[]) => rows.map((row) => row.answers.full_name);
  const publish = async (answers: readonly object[]) => {
    const path = await publishTestForm(service, { fields: FIELDS });
    await insertTestSubmissions(service, path, { answers });
    return `${path}/submissions`;
  };

  const cases: readonly (readonly [filter: Record<string, string>, found: readonly number[]])[] = [
    [{ search: 'LOVE' }, [0]],
    [{ search: 'jonsd' }, [1]],
    [{ search: 'παπα' }, [2]],
    [{ search: '12' }, [1]],
    [{ search: 'nobody' }, []],
    [{ answer: 'day:Sat' }, [2, 0]],
    [{ answer: 'day:sat' }, []],
    [{ answer: 'topics:b' }, [1, 0]],
    [{ answer: 'people:2' }, [0]],
    [{ answer: 'consent:false' }, [1]],
    [{ answer: 'topics:b', search: 'ada' }, [0]],
  ];

  test('lists, exports and neighbors have the submissions whose answers match the filters', async () => {
    const path = await publish(ANSWERS);
    for (const [filter, found] of cases) {
      const names = found.map((index) => ANSWERS[index]!.full_name);
      const { data } = await get(path, filter);
      assert.deepEqual(toNames(data), names, JSON.stringify(filter));
      const exported = await service.api.get(`${path}/export?${new URLSearchParams(filter)}`, admin);
      const lines = exported.text.split('\n').slice(0, -1);
      assert.deepEqual(toNames(lines.map((line) => JSON.parse(line)).toReversed()), names);
      for (const [index, { id }] of data.entries()) {
        const { newer_id, older_id } = await get(`${path}/${id}`, filter);
        assert.deepEqual([newer_id, older_id], [data[index - 1]?.id ?? null, data[index + 1]?.id ?? null]);
      }
    }
    const [{ id }] = (await get(path)).data;
    assert.deepEqual((await get(path, { search: id.slice(0, -2) })).data[0].id, id);
    for (const filter of [{ search: ' ' }, { answer: 'topics' }, { answer: ':b' }])
      assert.equal((await get(path, filter)).code, 'invalid_filter');
  });

  test('a search that has to compare too many submissions for a page continues on the next one', async () => {
    const rest = Array.from({ length: 2_100 }, (_, index) => ({ full_name: `No ${index}` }));
    const path = await publish([{ full_name: 'Ada' }, ...rest]);
    const first = await get(path, { search: 'ada' });
    assert.deepEqual(first.data, []);
    const last = await get(path, { search: 'ada', cursor: first.next_cursor });
    assert.deepEqual([toNames(last.data), last.next_cursor], [['Ada'], null]);
  });

  test('totals count each choice of the version, and the other answers together, in the submissions that match', async () => {
    const path = await publish(ANSWERS);
    const total = (label: string, answered: number, counts: Record<string, number>, other = 0) => ({
      ...{ label, answered, other },
      options: Object.entries(counts).map(([value, count]) => ({ value, count })),
    });
    assert.deepEqual((await get(`${path}/totals`)).data, {
      ...{ counted: 4, is_complete: true },
      fields: [
        total('day', 4, { Sat: 2, Sun: 1 }, 1),
        total('topics', 2, { a: 1, b: 2, c: 0 }),
        total('consent', 2, { true: 1, false: 1 }),
      ],
    });
    const filtered = (await get(`${path}/totals`, { answer: 'topics:a' })).data;
    assert.equal(filtered.counted, 1);
    assert.deepEqual(filtered.fields[0], total('day', 1, { Sat: 1, Sun: 0 }));
    assert.deepEqual((await get(`${path}/totals`, { version: '7' })).data.fields, []);
  });
});
