/** Files of spreadsheets (.xlsx, ECMA-376), written while their rows are read. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ZipFile } from 'yazl';
import type { CellValue, Column } from './cells.ts';
import { formatParts, formatSheets, type SheetLimits } from './parts.ts';

export interface Table<Row> {
  /** Name of the sheet, to which others add a number: at most 28 characters, none of `\ / ? * [ ] :`. */
  readonly name: string;
  /** At most `MAX_COLUMNS`. */
  readonly columns: readonly Column[];
  /** Returns the values of a row, in the order of the columns. */
  readonly toCells: (row: Row) => readonly CellValue[];
}

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Columns of a sheet in Excel. */
export const MAX_COLUMNS = 16_384;
/** Rows of a sheet in Excel: other programs ignore more silently. JavaScript reads no text of more than 536 million units. */
const SHEET_LIMITS: SheetLimits = { rows: 1_048_576, length: 500_000_000 };

/**
 * Yields the file at the speed of its reader. A sheet has the title and the name of each column, then rows until a limit.
 * Throws what `pages` throws: programs do not read what was yielded until then.
 */
export async function* formatWorkbook<Row>(
  pages: AsyncIterable<readonly Row[]>,
  { name, columns, toCells }: Table<Row>,
  limits = SHEET_LIMITS,
): AsyncGenerator<Buffer> {
  // Loaded by the first export, because the import would delay the start.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const sheets = formatSheets(readCells(pages, toCells), columns, limits);
  writeParts(zip, name, sheets).catch((error) => output.destroy(error));
  yield* output;
}

async function* readCells<Row>(pages: AsyncIterable<readonly Row[]>, toCells: Table<Row>['toCells']) {
  for await (const page of pages) for (const row of page) yield toCells(row);
}

async function writeParts(zip: ZipFile, name: string, sheets: AsyncIterable<AsyncIterable<string>>) {
  const names: string[] = [];
  for await (const xml of sheets) {
    names.push(names.length === 0 ? name : `${name} ${names.length + 1}`);
    const sheet = Readable.from(xml);
    zip.addReadStream(sheet, `xl/worksheets/sheet${names.length}.xml`);
    await finished(sheet);
  }
  for (const [path, xml] of Object.entries(formatParts(names))) zip.addBuffer(Buffer.from(xml), path);
  zip.end();
}
