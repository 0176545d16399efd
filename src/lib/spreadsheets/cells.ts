/** Cells of a sheet, as Excel, LibreOffice and libraries read them alike (ECMA-376 part 1, section 18.3.1.4). */
import { escapeHtml } from '../text/text.ts';
import { DAY, formatTimestamp } from '../time.ts';

/** The value of a cell; without a value there is no cell. */
export type CellValue = string | number | boolean | null | undefined;

export interface Column {
  /** What people read above the values. */
  readonly title: string;
  /** What programs know the column by, below the title. */
  readonly name: string;
  /** Whether values are dates `YYYY-MM-DD`, or times in epoch milliseconds. Others have the type of the value. */
  readonly type?: 'date' | 'time';
}

/** Formats of cells by their index in `STYLES_XML`. */
export const STYLES = { text: 1, lines: 2, date: 3, time: 4, header: 5 };

/** The format `@` (49) keeps a text a text when a person edits it. */
export const STYLES_XML =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  String.raw`<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/>` +
  String.raw`<numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="6">${formatStyle(0)}${formatStyle(49)}${formatStyle(49, ' wrapText="1"')}` +
  `${formatStyle(164)}${formatStyle(165)}${formatStyle(49, '', 1)}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function formatStyle(format: number, wrap = '', font = 0): string {
  const applied = 'applyNumberFormat="1" applyFont="1" applyAlignment="1"';
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" ${applied}><alignment vertical="top"${wrap}/></xf>`;
}

/** Programs disagree about the serial numbers of earlier days: for Excel, 1900 is a leap year. */
const FIRST_MOMENT = Date.UTC(1900, 2, 1);
/** The serial number of 1970-01-01. */
const EPOCH = 25_569;

/** Returns the cell at a reference such as `B2`; an empty text without a value. */
export function formatCell(reference: string, value: CellValue, type?: Column['type']): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${Number(value)}</v></c>`;
  const isNumber = typeof value === 'number';
  if (type === undefined)
    return isNumber ? `<c r="${reference}"><v>${value}</v></c>` : formatText(reference, value);
  const time = isNumber ? value : Date.parse(value);
  return time >= FIRST_MOMENT
    ? `<c r="${reference}" s="${STYLES[type]}"><v>${time / DAY + EPOCH}</v></c>`
    : formatText(reference, isNumber ? formatTimestamp(value) : value);
}

/** UTF-16 units that Excel reads. */
const MAX_TEXT = 32_767;
/** All that is not a Char of XML 1.0. Lone surrogates are in no range of a pattern with the flag `u`. */
const ILLEGAL = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Returns a cell whose text no program executes or converts. Texts that are too long for Excel end with `…`; characters that
 * XML cannot have are U+FFFD.
 */
export function formatText(reference: string, value: string, style?: number): string {
  const lines = value.replaceAll(/\r\n?/g, '\n');
  const text = lines.length > MAX_TEXT ? `${lines.slice(0, MAX_TEXT - 1)}…` : lines;
  const content = escapeHtml(
    text
      .replaceAll(ILLEGAL, '\ufffd')
      // Readers decode _x0041_ (ECMA-376 part 1, section 22.9.2.19), and LibreOffice _x1_.
      .replaceAll(/_(?=x[\dA-Fa-f]{1,4}_)/g, '_x005F_'),
  );
  const hasLines = text.includes('\n');
  const space = hasLines || /^\s|\s$/.test(text) ? ' xml:space="preserve"' : '';
  const format = style ?? (hasLines ? STYLES.lines : STYLES.text);
  return `<c r="${reference}" s="${format}" t="inlineStr"><is><t${space}>${content}</t></is></c>`;
}
