import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { readXlsx } from 'hucre';
import { parseSheets, readParts, SHEET_TEXTS } from '../../../test/support/spreadsheets.ts';
import type { CellValue, Column } from './cells.ts';
import { formatWorkbook, type SheetLimits } from './workbook.ts';

interface Content {
  readonly rows: readonly (readonly CellValue[])[];
  readonly columns: readonly Column[];
}

async function createFile({ rows, columns }: Content, limits?: SheetLimits): Promise<Buffer> {
  const table = { name: 'Answers', columns, toCells: (row: readonly CellValue[]) => row };
  const pages = Readable.from([rows.slice(0, 2), [], rows.slice(2)]);
  return Buffer.concat(await Array.fromAsync(formatWorkbook(pages, table, limits)));
}

const toColumns = (rows: readonly (readonly CellValue[])[]) =>
  rows[0]!.map((_, index) => ({ title: `Title ${index}`, name: `name-${index}` }));

/** Returns the rows as another reader sees them, with those of the header. */
async function readSheets(file: Buffer) {
  const { sheets } = await readXlsx(file);
  return sheets.map(({ name, rows }) => ({ name, rows }));
}

type CellCase = readonly [
  value: CellValue,
  type: Column['type'] | undefined,
  cellType?: string,
  text?: string,
  read?: unknown,
];

describe('a spreadsheet', () => {
  test('a spreadsheet has each text as a text cell, in which only what XML cannot have is replaced', async () => {
    const rows = SHEET_TEXTS.map(([text]) => [text]);
    const file = await createFile({ rows, columns: toColumns(rows) });
    const [{ rows: read = [] } = {}] = await readSheets(file);
    assert.deepEqual(
      read.slice(2).map(([text]) => text),
      SHEET_TEXTS.map(([given, expected = given]) => expected),
    );
    const [cells] = parseSheets(file);
    for (const [index, [given, expected = given]] of SHEET_TEXTS.entries()) {
      const { type, style, isSpacePreserved } = cells![`A${index + 3}`]!;
      const hasLines = expected.includes('\n');
      assert.deepEqual([type, style], ['inlineStr', hasLines ? '2' : '1'], JSON.stringify(given));
      assert.equal(isSpacePreserved, hasLines || expected.trim() !== expected, JSON.stringify(given));
    }
  });

  test('a spreadsheet has numbers, booleans, dates and times as such, earlier dates as text, and no cell without a value', async () => {
    const time = Date.UTC(2026, 0, 31, 23, 59, 59);
    const cases: readonly CellCase[] = [
      ...[0.1 + 0.2, -0.5, 1e308, 5e-324, 9007199254740992, 0].map(
        (number) => [number, undefined, 'n', String(number), number] as const,
      ),
      [true, undefined, 'b', '1', true],
      [false, undefined, 'b', '0', false],
      ['2026-01-31', 'date', 'n', '46053', new Date('2026-01-31')],
      ['1900-03-01', 'date', 'n', '61', new Date('1900-03-01')],
      ['9999-12-31', 'date', 'n', '2958465', new Date('9999-12-31')],
      ['1900-02-28', 'date', 'inlineStr', '1900-02-28', '1900-02-28'],
      ['0001-01-01', 'date', 'inlineStr', '0001-01-01', '0001-01-01'],
      [time, 'time', 'n', String(time / 86_400_000 + 25_569), new Date(time)],
      [-1e13, 'time', 'inlineStr', '1653-02-10T06:13:20.000Z', '1653-02-10T06:13:20.000Z'],
      ...[null, undefined, ''].map((none) => [none, undefined] as const),
    ];
    const columns = cases.map(([, type], index) => ({
      ...{ title: `Title ${index}`, name: `${index}` },
      ...(type === undefined ? {} : { type }),
    }));
    const file = await createFile({ rows: [cases.map(([value]) => value), ['last']], columns });
    const [cells = {}] = parseSheets(file);
    const [{ rows = [] } = {}] = await readSheets(file);
    const references = Object.keys(cells).filter((reference) => /\D1$/.test(reference));
    for (const [index, [value, type, cellType, text, read]] of cases.entries()) {
      const cell = cells[references[index]!.replace(/1$/, '3')];
      assert.deepEqual([cell?.type, cell?.text], [cellType, text], `${value}`);
      const style = { date: '3', time: '4' }[type ?? 'date'];
      if (type !== undefined && cellType === 'n') assert.equal(cell!.style, style);
      assert.deepEqual(rows[2]![index] ?? undefined, read, `${value}`);
    }
  });

  test('a spreadsheet is XML, and has every text and number, whatever it has', async () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(...Array.from('_x00 4D_\r\n<&>"', (character) => character.charCodeAt(0))),
    );
    const anyText = fc.array(unit).map((units) => String.fromCharCode(...units));
    const anyValue = fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    const anyRow = fc.array(fc.option(anyValue), { minLength: 30, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 4 }), async (rows) => {
        const file = await createFile({ rows, columns: toColumns(rows) });
        const [cells] = parseSheets(file);
        const expected = rows.flatMap((row, number) =>
          row.flatMap((value, index) =>
            value === null || value === '' ? [] : [[toReference(index, number + 3), toText(value)]],
          ),
        );
        const read = Object.entries(cells!)
          .filter(([reference]) => !/\D[12]$/.test(reference))
          .map(([reference, { text }]) => [reference, text.replaceAll('_x005F_', '_')]);
        assert.deepEqual(read, expected);
      }),
      { numRuns: 50 },
    );
  });

  test('a spreadsheet has the header on each sheet, and begins another before a limit of rows or of length', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => [index, 'a text']);
    const columns = toColumns(rows);
    const header = [columns.map(({ title }) => title), columns.map(({ name }) => name)];
    const read = async (count: number, limits: SheetLimits) =>
      readSheets(await createFile({ rows: rows.slice(0, count), columns }, limits));
    const sheets = await read(7, { rows: 5, length: 1e6 });
    assert.deepEqual(sheets, [
      { name: 'Answers', rows: [...header, ...rows.slice(0, 3)] },
      { name: 'Answers 2', rows: [...header, ...rows.slice(3, 6)] },
      { name: 'Answers 3', rows: [...header, ...rows.slice(6)] },
    ]);
    assert.equal((await read(6, { rows: 5, length: 1e6 })).length, 2, 'no sheet is empty');
    assert.deepEqual(await read(0, { rows: 5, length: 1e6 }), [{ name: 'Answers', rows: header }]);
    const short = await read(7, { rows: 100, length: 150 });
    assert.deepEqual(
      short.map((sheet) => sheet.rows.length),
      [4, 4, 4, 3],
    );
  });

  test('a spreadsheet freezes its header, and names its parts as ECMA-376 does', async () => {
    const rows = [['a']];
    const parts = readParts(await createFile({ rows, columns: toColumns(rows) }));
    assert.deepEqual(
      [...parts.keys()],
      [
        'xl/worksheets/sheet1.xml',
        '_rels/.rels',
        'xl/styles.xml',
        'xl/workbook.xml',
        'xl/_rels/workbook.xml.rels',
        '[Content_Types].xml',
      ],
    );
    assert.match(
      parts.get('xl/worksheets/sheet1.xml')!,
      /<pane ySplit="2" topLeftCell="A3" [^>]*state="frozen"/,
    );
  });

  test('a spreadsheet reads no further than its reader, who may be slow', async () => {
    const [pages, rows, bytes] = [60, 50, 768];
    let read = 0;
    async function* readPages() {
      for (; read < pages; read++) {
        yield Array.from({ length: rows }, () => randomBytes(bytes).toString('base64'));
        await nextTurn();
      }
    }
    const table = { name: 'Answers', columns: toColumns([['a']]), toCells: (text: string) => [text] };
    let [received, ahead] = [0, 0];
    for await (const chunk of formatWorkbook(readPages(), table)) {
      received += chunk.length;
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      // Of what is read, base64 leaves its bytes, and readers more.
      ahead = Math.max(ahead, read * rows * bytes - received);
    }
    assert.equal(read, pages);
    assert.ok(ahead < 500_000, `${ahead} bytes of ${pages * rows * bytes} were read ahead`);
  });

  test('a spreadsheet whose rows fail throws their error, and what it had is no file', async () => {
    const failure = new Error('no rows any more');
    async function* readPages() {
      yield [[1]];
      throw failure;
    }
    const chunks: Buffer[] = [];
    const table = { name: 'Answers', columns: toColumns([[1]]), toCells: (row: readonly number[]) => row };
    await assert.rejects(async () => {
      for await (const chunk of formatWorkbook(readPages(), table)) chunks.push(chunk);
    }, failure);
    await assert.rejects(readXlsx(Buffer.concat(chunks)));
  });
});

const toReference = (index: number, row: number) =>
  `${index < 26 ? '' : 'A'}${String.fromCharCode(65 + (index % 26))}${row}`;

function toText(value: Exclude<CellValue, null | undefined>): string {
  if (typeof value !== 'string') return String(Number(value));
  return value
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .toWellFormed();
}
