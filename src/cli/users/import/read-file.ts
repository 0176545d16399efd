/** Reads the entries of a CSV or NDJSON file one by one. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { ENTRY_MEMBERS, IGNORED_MEMBERS } from '../../../features/administration/import-users/read-entry.ts';
import { unguardFormula } from '../../../lib/text/spreadsheet-formulas.ts';
import { CommandError } from '../../output.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** A line of the file; `rejected` says why it is no entry. The line number is that of its end. */
export type FileEntry = { readonly line: number } & (
  | { readonly members: Readonly<Record<string, unknown>> }
  | { readonly rejected: string }
);

const MAX_RECORD_CHARACTERS = 65_536;

/** @throws CommandError when the file as a whole cannot be read */
export function readEntries(input: Readable, format: Format): AsyncIterable<FileEntry> {
  return format === 'csv' ? readCsv(input) : readNdjson(input);
}

/** Decodes UTF-8, without a byte order mark. @throws CommandError for other bytes */
async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError('the file is not UTF-8');
    throw error;
  }
}

interface CsvRecord {
  readonly info: { readonly lines: number };
  readonly record: Record<string, string>;
}

async function* readCsv(input: Readable): AsyncGenerator<FileEntry> {
  const skipped: FileEntry[] = [];
  const parser = parse({
    columns: checkHeader,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    // The message of the parser is dropped: it quotes the line, which may contain a password.
    on_skip: (error) => {
      const line = Number(error?.lines ?? 0);
      if (error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
        skipped.push({ line, rejected: 'The number of columns is not that of the header.' });
      else parser.destroy(malformed(line, error?.code));
      return undefined;
    },
  });
  const reading = pipeline(input, decode, parser);
  // Rejected by the iteration as well; without a handler here it would count as unhandled.
  reading.catch(() => {});
  for await (const { info, record } of parser as AsyncIterable<CsvRecord>) {
    yield* skipped.splice(0);
    yield { line: info.lines, members: unguarded(record) };
  }
  await reading;
  yield* skipped.splice(0);
}

/** Columns of other services, whose values are taken as they are. The export has no such value to guard. */
const EXACT = ['password', 'password_hash'];

/** Removes the apostrophes that the export adds to values that a spreadsheet would execute. */
function unguarded(record: Readonly<Record<string, string>>): Record<string, string> {
  const members = Object.entries(record);
  return Object.fromEntries(
    members.map(([name, value]) => [name, EXACT.includes(name) ? value : unguardFormula(value)]),
  );
}

/** After a misplaced quote, nothing says where the next record begins: the rest would be swallowed. */
function malformed(line: number, code = 'unknown'): CommandError {
  const what = 'correct it and import the file again; the lines before may have been imported';
  return new CommandError(`the file is not valid CSV up to line ${line} (${code}): ${what}`);
}

function checkHeader(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const known = `the columns are ${ENTRY_MEMBERS.join(', ')}`;
  const isKnown = (name: string) => ENTRY_MEMBERS.includes(name) || IGNORED_MEMBERS.includes(name);
  const unknown = names.findIndex((name) => !isKnown(name));
  if (unknown !== -1) throw new CommandError(`column ${unknown + 1} has an unknown name: ${known}`);
  if (new Set(names).size < names.length) throw new CommandError(`a column occurs twice: ${known}`);
  if (!names.includes('email')) throw new CommandError(`the column email is missing: ${known}`);
  return names;
}

async function* readNdjson(input: Readable): AsyncGenerator<FileEntry> {
  let line = 0;
  for await (const text of splitLines(decode(input))) {
    line++;
    if (text.trim() !== '') yield { line, ...parseLine(text) };
  }
}

function parseLine(text: string): { members: Record<string, unknown> } | { rejected: string } {
  if (text.length > MAX_RECORD_CHARACTERS) return { rejected: 'The line is too long.' };
  try {
    const members = JSON.parse(text);
    const isObject = typeof members === 'object' && members !== null && !Array.isArray(members);
    return isObject ? { members } : { rejected: 'The line is not a JSON object.' };
  } catch {
    // The caught error is dropped: its message quotes the line.
    return { rejected: 'The line is not a JSON object.' };
  }
}

/** Not `readline`, which also splits at U+2028 within JSON strings. A line that is too long is cut off. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!.slice(0, MAX_RECORD_CHARACTERS + 1);
    yield* lines;
  }
  yield rest;
}
