/** Files of spreadsheets (.xlsx, ECMA-376), written while their rows are read. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ZipFile } from 'yazl';
import { escapeHtml } from '../text/text.ts';
import { type CellValue, type Column, formatCell, formatText, STYLES, STYLES_XML } from './cells.ts';

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

export interface SheetLimits {
  /** Rows of a sheet, with those of its header. */
  readonly rows: number;
  /** UTF-16 units of XML after which the next sheet begins. */
  readonly length: number;
}

const CHUNK_LENGTH = 16_384;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Yields the XML of each sheet in chunks. A sheet has to be read before the next one is requested. */
async function* formatSheets(
  rows: AsyncIterator<readonly CellValue[]>,
  columns: readonly Column[],
  limits: SheetLimits,
): AsyncGenerator<AsyncGenerator<string>> {
  const letters = columns.map((_, index) => formatLetters(index));
  const formatRow = (number: number, formatValue: (index: number, reference: string) => string) =>
    `<row r="${number}">${letters.map((letter, index) => formatValue(index, `${letter}${number}`)).join('')}</row>`;
  const formatHeader = (number: number, member: 'title' | 'name') =>
    formatRow(number, (index, reference) => formatText(reference, columns[index]![member], STYLES.header));
  const head = `${SHEET_HEAD}${formatHeader(1, 'title')}${formatHeader(2, 'name')}`;
  let next = await rows.next();
  do yield formatSheet();
  while (!next.done);

  async function* formatSheet(): AsyncGenerator<string> {
    let [xml, length] = [head, 0];
    for (let number = 3; !next.done && number <= limits.rows && length < limits.length; number++) {
      const values = next.value;
      const row = formatRow(number, (index, reference) =>
        formatCell(reference, values[index], columns[index]!.type),
      );
      xml += row;
      length += row.length;
      if (xml.length > CHUNK_LENGTH) {
        yield xml;
        xml = '';
      }
      next = await rows.next();
    }
    yield `${xml}</sheetData></worksheet>`;
  }
}

/** The header stays visible, and columns are wide enough for times, which would be `###`. */
const SHEET_HEAD =
  `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  '<sheetFormatPr defaultRowHeight="15" defaultColWidth="20"/><sheetData>';

/** Returns the letters of a column: `A` for 0, `AA` for 26. */
function formatLetters(index: number): string {
  const before = index < 26 ? '' : formatLetters(Math.floor(index / 26) - 1);
  return `${before}${String.fromCharCode(65 + (index % 26))}`;
}

function formatRelations(targets: readonly (readonly [type: string, target: string])[]): string {
  const relations = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`;
}

/** Returns the parts beside the sheets, by their path. */
function formatParts(names: readonly string[]): Readonly<Record<string, string>> {
  const sheets = names.map(
    (name, index) => `<sheet name="${escapeHtml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const files = names.map((_, index) => `worksheets/sheet${index + 1}.xml`);
  const formatType = (path: string, type: string) =>
    `<Override PartName="/xl/${path}" ContentType="${TYPE}.${type}+xml"/>`;
  const types = [
    formatType('workbook.xml', 'sheet.main'),
    formatType('styles.xml', 'styles'),
    ...files.map((file) => formatType(file, 'worksheet')),
  ];
  return {
    '_rels/.rels': formatRelations([['officeDocument', 'xl/workbook.xml']]),
    'xl/styles.xml': `${XML}${STYLES_XML}`,
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': formatRelations([
      ...files.map((file) => ['worksheet', file] as const),
      ['styles', 'styles.xml'],
    ]),
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types.join('')}</Types>`,
  };
}
