/** Reads spreadsheets (.xlsx) as strictly as the strictest program: XML 1.0, and a reference at each row and cell. */
import assert from 'node:assert/strict';
import { inflateRawSync } from 'node:zlib';
import { parseXml, XmlElement } from '@rgrove/parse-xml';

export interface SheetCell {
  readonly type: string;
  /** Index of the format. */
  readonly style: string;
  readonly text: string;
  readonly isSpacePreserved: boolean;
}

const LONG = 'x'.repeat(32_768);

/** Texts of cells, and what programs read if they cannot be the same. */
export const SHEET_TEXTS: readonly (readonly [given: string, read?: string])[] = [
  ...[
    ...['01067', '+49 351 1', '1e5', '2026-01-31', '=1+1', '@SUM(A1)', '-5', '5%', '1/2', 'TRUE', '#REF!'],
    ...['12345678901234567890', 'https://example.com/?a&b', "'", '😀<&>"', ']]>', '\u0085\u2028\u202e'],
    ...[' a ', '\ta', 'a\n', '\n', ' ', 'a\nb', '_x0041_', '_x000D_', '_x00_', '_x1_'],
  ].map((text) => [text] as const),
  ['a\r\nb', 'a\nb'],
  ['a\rb\r', 'a\nb\n'],
  ['a\u0000b\u000bc\u001f', 'a\ufffdb\ufffdc\ufffd'],
  ['\ufffe\uffff', '\ufffd\ufffd'],
  ['\ud800x\udc00', '\ufffdx\ufffd'],
  [LONG.slice(1)],
  [LONG, `${LONG.slice(2)}…`],
];

/** Returns the XML of all parts by their path, from the directory at the end of the file. */
export function readParts(file: Buffer): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const end = file.lastIndexOf('PK\u0005\u0006');
  assert.ok(end >= 0, 'the file has no directory');
  for (let entry = file.readUInt32LE(end + 16); file.readUInt32LE(entry) === 0x02014b50; ) {
    const [size, nameLength] = [file.readUInt32LE(entry + 20), file.readUInt16LE(entry + 28)];
    const name = file.toString('utf8', entry + 46, entry + 46 + nameLength);
    const header = file.readUInt32LE(entry + 42);
    const content = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
    parts.set(name, inflateRawSync(file.subarray(content, content + size)).toString());
    entry += 46 + nameLength + file.readUInt16LE(entry + 30) + file.readUInt16LE(entry + 32);
  }
  return parts;
}

/** Parses all parts, and returns the cells of each sheet by their reference. */
export function parseSheets(file: Buffer): readonly Readonly<Record<string, SheetCell>>[] {
  const parts = [...readParts(file)].map(([name, xml]) => ({ name, root: parseXml(xml).root! }));
  return parts.filter(({ name }) => name.startsWith('xl/worksheets/')).map(({ root }) => toCells(root));
}

function toCells(sheet: XmlElement): Readonly<Record<string, SheetCell>> {
  const rows = findElements(findElements(sheet, 'sheetData')[0]!, 'row');
  const cells = rows.flatMap((row, index) => {
    assert.equal(row.attributes.r, String(index + 1));
    return findElements(row, 'c').map((cell) => toEntry(cell, row.attributes.r!));
  });
  const found = Object.fromEntries(cells);
  assert.equal(Object.keys(found).length, cells.length, 'each cell has a reference of its own');
  return found;
}

function toEntry(cell: XmlElement, row: string): [reference: string, cell: SheetCell] {
  const { r = '', t: type = 'n', s: style = '0' } = cell.attributes;
  assert.match(r, new RegExp(`^[A-Z]+${row}$`));
  const [value] =
    type === 'inlineStr' ? findElements(findElements(cell, 'is')[0]!, 't') : findElements(cell, 'v');
  const isSpacePreserved = value?.attributes['xml:space'] === 'preserve';
  return [r, { type, style, text: value!.text, isSpacePreserved }];
}

function findElements(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(
    (child) => child instanceof XmlElement && child.name === name,
  ) as XmlElement[];
}
