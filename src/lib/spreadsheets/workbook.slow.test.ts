/** Spreadsheets as LibreOffice reads them, where it is installed (Debian: libreoffice-calc), and at the limits of Excel. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import { streamXlsxRows } from 'hucre';
import { SHEET_TEXTS } from '../../../test/support/spreadsheets.ts';
import type { CellValue, Column } from './cells.ts';
import { formatWorkbook } from './workbook.ts';

const OFFICE = 'soffice';
const isInstalled = spawnSync(OFFICE, ['--version']).status === 0;
const skip = isInstalled ? false : 'LibreOffice is not installed';

/** Converts a file to the format of LibreOffice that has the types of cells. */
function convert(file: Buffer): XmlElement {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-office-'));
  try {
    writeFileSync(join(directory, 'file.xlsx'), file);
    const profile = `-env:UserInstallation=file://${directory}/profile`;
    const { status, stderr } = spawnSync(
      OFFICE,
      [profile, '--headless', '--convert-to', 'fods', '--outdir', directory, join(directory, 'file.xlsx')],
      { timeout: 120_000, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    return parseXml(readFileSync(join(directory, 'file.fods'), 'utf8')).root!;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function* findAll(parent: XmlElement, name: string): Generator<XmlElement> {
  for (const child of parent.children) {
    if (!(child instanceof XmlElement)) continue;
    if (child.name === name) yield child;
    else yield* findAll(child, name);
  }
}

/** Returns type and value of the cells of a row. LibreOffice reads booleans as formulas. */
function toValues(row: XmlElement): [type: string | undefined, value: string][] {
  return [...findAll(row, 'table:table-cell')].map((cell) => {
    const { 'table:formula': formula, 'office:value-type': type } = cell.attributes;
    const text = [...findAll(cell, 'text:p')].map(toText).join('\n');
    if (formula !== undefined) return [formula, text];
    return [type, cell.attributes['office:date-value'] ?? cell.attributes['office:value'] ?? text];
  });
}

function toText({ name, attributes, children }: XmlElement): string {
  if (name === 'text:s') return ' '.repeat(Number(attributes['text:c'] ?? 1));
  if (name === 'text:tab') return '\t';
  if (name === 'text:line-break') return '\n';
  return children
    .map((child) =>
      child instanceof XmlElement ? toText(child) : child instanceof XmlText ? child.text : '',
    )
    .join('');
}

async function createFile(
  rows: readonly (readonly CellValue[])[],
  columns: readonly Column[],
): Promise<Buffer> {
  const table = { name: 'Answers', columns, toCells: (row: readonly CellValue[]) => row };
  return Buffer.concat(await Array.fromAsync(formatWorkbook(Readable.from([rows]), table)));
}

test('LibreOffice reads each text of a spreadsheet as that text', { skip }, async () => {
  const rows = SHEET_TEXTS.map(([given]) => [given]);
  const document = convert(await createFile(rows, [{ title: 'Größe?', name: 'size' }]));
  const read = [...findAll(document, 'table:table-row')].map((row) => toValues(row)[0]);
  const expected = ['Größe?', 'size', ...SHEET_TEXTS.map(([given, text = given]) => text)];
  assert.deepEqual(
    read.slice(0, expected.length),
    expected.map((text) => ['string', text]),
  );
});

test('LibreOffice reads numbers, booleans, dates and times of a spreadsheet as such', { skip }, async () => {
  const columns: readonly Column[] = [
    ...['number', 'boolean', 'text', 'none'].map((name) => ({ title: name, name })),
    { title: 'date', name: 'date', type: 'date' },
    { title: 'time', name: 'time', type: 'time' },
  ];
  const time = Date.UTC(2026, 0, 31, 23, 59, 58);
  const rows = [
    [-0.5, true, 'a', null, '2026-01-31', time],
    [1e308, false, 'b', '', '1900-03-01', 0],
    [5e-324, false, 'c', undefined, '9999-12-31', time],
    [0, false, 'd', undefined, '1850-06-15', -1e13],
  ];
  const document = convert(await createFile(rows, columns));
  const read = [...findAll(document, 'table:table-row')]
    .slice(2, 6)
    .map((row) => toValues(row).slice(0, columns.length));
  const moment = '2026-01-31T23:59:58';
  const toRow = (number: string, isTrue: boolean, text: string, moments: [string, string][]) => [
    ['float', number],
    isTrue ? ['of:=TRUE()', 'TRUE'] : ['of:=FALSE()', 'FALSE'],
    ['string', text],
    [undefined, ''],
    ...moments,
  ];
  assert.deepEqual(read, [
    toRow('-0.5', true, 'a', [
      ['date', '2026-01-31'],
      ['date', moment],
    ]),
    toRow('1E+308', false, 'b', [
      ['date', '1900-03-01'],
      ['date', '1970-01-01'],
    ]),
    toRow('5E-324', false, 'c', [
      ['date', '9999-12-31'],
      ['date', moment],
    ]),
    toRow('0', false, 'd', [
      ['string', '1850-06-15'],
      ['string', '1653-02-10T06:13:20.000Z'],
    ]),
  ]);
});

test('a spreadsheet has at most 1,048,576 rows in a sheet', async () => {
  const count = 1_048_576;
  async function* pages() {
    for (let page = 0; page < count / 1024; page++)
      yield Array.from({ length: 1024 }, (_, row) => page * 1024 + row);
  }
  const table = { name: 'Answers', columns: [{ title: 'A', name: 'a' }], toCells: (row: number) => [row] };
  const file = Buffer.concat(await Array.fromAsync(formatWorkbook(pages(), table)));
  const rows: number[] = [];
  for (const sheet of [0, 1]) {
    let number = 0;
    for await (const { values } of streamXlsxRows(file, { sheet })) {
      if (number++ >= 2) assert.equal(values[0], number - 3 + sheet * (count - 2));
    }
    rows.push(number);
  }
  assert.deepEqual(rows, [count, 4]);
});
