import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre';
import {
  FORMS,
  insertTestSubmissions,
  NAME_FIELD,
  publishNextVersion,
  publishTestForm,
} from '../../../../test/support/forms.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { admin, useSharedService } from '../../../../test/support/service.ts';
import { guardFormula } from '../../../lib/text/text.ts';
import { lockForm, markDeleted } from '../queries.ts';
import { createExportSubmissions } from './export-submissions.ts';

const optional = (label: string, type: string, more: object = {}) => ({
  ...{ label, type, is_required: false },
  ...more,
});

describeStorage('GET /api/v1/forms/{id}/submissions/export', (engine) => {
  const service = useSharedService(engine);
  const getExport = (path: string, query = '', accept?: string) =>
    service.api.get(`${path}/submissions/export${query}`, {
      ...admin,
      ...(accept === undefined ? {} : { headers: { accept } }),
    });
  const readLines = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  test('an export has the answers to all versions, with a column for each field and removed ones last', async () => {
    const first = [NAME_FIELD, optional('old', 'number'), optional('__proto__', 'checkbox')];
    const path = await publishTestForm(service, { fields: first });
    const submit = (raw: string) => service.api.post(`${path}/submissions`, undefined, { raw });
    await submit('{"answers":{"full_name":"Ada","old":0,"__proto__":false}}');
    const fields = [
      optional('toString', 'text', { options: ['a', 'b;'], multiple: true }),
      optional('__proto__', 'checkbox'),
      NAME_FIELD,
    ];
    await publishNextVersion(service, path, { title: 'Contact', fields });
    await submit('{"answers":{"full_name":"Bob","toString":["b;","a"]}}');
    const csv = await getExport(path, '?format=csv');
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
    const metadata = ['submission:id', 'submission:received_at', 'submission:version'];
    const [header, ...rows] = parse(csv.text, { record_delimiter: '\r\n' });
    assert.deepEqual(header, [...metadata, 'full_name', '__proto__', 'toString', 'old']);
    assert.deepEqual(
      rows.map((row: string[]) => row.slice(2)),
      [
        ['1', 'Ada', 'false', '', '0'],
        ['2', 'Bob', '', '"b;"; a', ''],
      ],
    );
    const lines = readLines((await getExport(path)).text);
    const listed = await service.api.get(`${path}/submissions`, admin);
    assert.deepEqual(lines.toReversed(), listed.body.data);
    assert.equal((await getExport(path, '?version=2')).text.split('\n').length, 2);
  });

  test('an export begins with the header of CSV also without a submission, and is an attachment', async () => {
    const path = await publishTestForm(service);
    const { text, headers } = await getExport(path, '', 'text/csv');
    assert.equal(text, 'submission:id,submission:received_at,submission:version,full_name\r\n');
    assert.match(
      headers.get('content-disposition')!,
      /^attachment; filename="Contact \d{4}-\d\d-\d\d\.csv"$/,
    );
    assert.equal((await getExport(path, '', 'application/x-ndjson')).text, '');
    assert.equal((await getExport(path, '', 'image/png')).body.code, 'not_acceptable');
    assert.equal((await getExport(path, '?format=ndjson', 'text/csv')).text, '');
    assert.equal((await getExport(path, '?held=all')).body.code, 'invalid_filter');
  });

  test('an export reads all pages once, within its times and with held submissions only if they are requested', async () => {
    const path = await publishTestForm(service);
    const start = Date.UTC(2026, 0, 1);
    const answers = Array.from({ length: 250 }, (_, index) => ({ full_name: `Ada ${index}` }));
    await insertTestSubmissions(service, path, { answers, start });
    await insertTestSubmissions(service, path, { answers: [{ full_name: 'Spam' }], start, held: 1 });
    const names = async (query: string) =>
      readLines((await getExport(path, query)).text).map((line) => line.answers.full_name);
    assert.deepEqual(
      await names(''),
      answers.map(({ full_name }) => full_name),
    );
    assert.deepEqual(await names('?held=only'), ['Spam']);
    assert.equal((await names('?held=include')).length, 251);
    const between = '?from=2026-01-01T00:00:00.010Z&to=2026-01-01T00:00:00.013Z';
    assert.deepEqual(await names(between), ['Ada 10', 'Ada 11', 'Ada 12']);
    const pages: string[] = [];
    let cursor = '';
    do {
      const page = await service.api.get(`${path}/submissions?limit=100${cursor}`, admin);
      pages.push(...page.body.data.map((row: { answers: { full_name: string } }) => row.answers.full_name));
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
    } while (cursor !== '');
    assert.deepEqual(pages.toReversed(), await names(''));
  });

  test('an export reads a page only when the reader wants more, and fails if the form is deleted meanwhile', async () => {
    const path = await publishTestForm(service);
    const formId = path.slice(`${FORMS}/`.length);
    const answers = Array.from({ length: 1_000 }, () => ({ full_name: 'x'.repeat(1_000) }));
    await insertTestSubmissions(service, path, { answers });
    let reads = 0;
    const { database } = service;
    const counting = Object.assign(Object.create(database), {
      all: (...parameters: Parameters<typeof database.all>) => {
        reads++;
        return database.all(...parameters);
      },
    });
    const exportSubmissions = createExportSubmissions({ database: counting, clock: Date.now });
    const filter = {
      formId,
      held: 'exclude',
      version: null,
      from: null,
      to: null,
      search: null,
      answer: null,
    } as const;
    const format = { type: 'ndjson', isRaw: false, hasBom: false } as const;
    const streams = [
      await exportSubmissions(filter, format),
      await exportSubmissions(filter, format),
    ] as const;
    await assert.rejects(exportSubmissions(filter, format), { code: 'service_unavailable' });
    await once(streams[0], 'readable');
    assert.ok(reads <= 8, `${reads} reads of 10 pages each`);
    await database.transaction(async (tx) => {
      await lockForm(tx, formId);
      await markDeleted(tx, formId);
    });
    await assert.rejects(streams[0].toArray(), { code: 'form_not_found' });
    streams[1].destroy();
  });

  test('an export as a spreadsheet has the submissions of all pages, named after the form and the day', async () => {
    const path = await publishTestForm(service, { title: 'Größe?', fields: [NAME_FIELD] });
    const answers = Array.from({ length: 250 }, (_, index) => ({ full_name: `0${index}` }));
    const start = Date.UTC(2026, 0, 31);
    await insertTestSubmissions(service, path, { answers, start });
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    for (const [query, headers] of [
      ['?format=xlsx', {}],
      ['', { accept: type }],
    ] as const) {
      const authorization = `Bearer ${admin.token}`;
      const url = `${service.api.url}${path}/submissions/export${query}`;
      const response = await fetch(url, { headers: { ...headers, authorization } });
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, type]);
      const name =
        /^attachment; filename="Gro_e [-\d]{10}.xlsx"; filename\*=UTF-8''Gr%C3%B6%C3%9Fe%20[-\d]{10}.xlsx$/;
      assert.match(response.headers.get('content-disposition')!, name);
      const { sheets } = await readXlsx(await response.bytes());
      const [titles, names, ...rows] = sheets[0]!.rows;
      assert.deepEqual(titles, ['ID', 'Received (UTC)', 'Version', 'full_name']);
      assert.deepEqual(names, ['submission:id', 'submission:received_at', 'submission:version', 'full_name']);
      assert.deepEqual(
        rows.map((row) => row.slice(1)),
        answers.map(({ full_name }, index) => [new Date(start + index), 1, full_name]),
      );
    }
  });

  if (engine === 'postgres') return;

  test('an export as NDJSON and as CSV returns every text and number exactly', async () => {
    const texts = ['=1+1', "'=", 'a,"b"', 'a\r\nb', ' a ', '😀', '0', 'Eve;=1+1', 'Eve\n=1+1;"@a"', 'a,-b'];
    const numbers = [-5, 0, 1e21, 0.1];
    const fields = [optional('-text-', 'text', { multiline: true }), optional('amount', 'number')];
    const path = await publishTestForm(service, { fields });
    const answers: Readonly<Record<string, string | number>>[] = [
      ...texts.map((text) => ({ '-text-': text })),
      ...numbers.map((amount) => ({ amount })),
    ];
    await insertTestSubmissions(service, path, { answers });
    const lines = readLines((await getExport(path)).text);
    assert.deepEqual(
      lines.map((line) => line.answers),
      answers,
    );
    const readCsv = async (query: string) =>
      parse((await getExport(path, query)).text, { bom: true }) as string[][];
    const raw = await readCsv('?format=csv&raw=1&bom=1');
    const expected = answers.map((one) => [one['-text-'] ?? '', 'amount' in one ? String(one.amount) : '']);
    assert.deepEqual(
      raw.slice(1).map((row) => row.slice(3)),
      expected,
    );
    assert.equal(raw[0]![3], '-text-');
    const guarded = await readCsv('?format=csv');
    assert.equal(guarded[0]![3], '-text-', 'headers are not guarded');
    for (const [index, [, , , text = '', amount]] of guarded.slice(1).entries()) {
      const [given, number] = expected[index]!;
      assert.equal(text, guardFormula(String(given)));
      assert.equal(amount, number);
    }
    const { text } = await getExport(path, '?format=csv&bom=1');
    // As a spreadsheet reads it whose locale has another separator.
    const rows = text.split(/[\r\n]+/).slice(1);
    const cells = rows.flatMap((row) => row.split(/[;\t]/)).filter((cell) => /^"*[=+\-@]/.test(cell));
    assert.deepEqual(cells, []);
    assert.ok(!text.startsWith('\uFEFF'), 'the client has removed it');
  });
});
