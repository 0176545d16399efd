/** Reads the records of a file one by one: CSV, NDJSON, or a JSON document with a list. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { parser } from 'stream-json';
import { pick } from 'stream-json/filters/pick.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { parseStrictText } from '../../../lib/text/strict-json.ts';
import { CommandError } from '../../context.ts';

export type RawRecord = Readonly<Record<string, unknown>>;

/**
 * `line` is the number of the line at the end of the record, or of the record in a list. `rejected` says why it cannot
 * be read.
 */
export type FileRecord = { readonly line: number } & (
  | { readonly members: RawRecord }
  | { readonly rejected: string }
);

/** Decodes UTF-8, without a byte order mark. @throws CommandError for other bytes */
export async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError)
      throw new CommandError('the file is not UTF-8: save it so, in spreadsheets as "CSV UTF-8"');
    throw error;
  }
}

/** `checkHeader` returns the names of the columns. @throws CommandError when the rest of the file cannot be read */
export async function* readCsv(
  chunks: AsyncIterable<string>,
  { maxCharacters, checkHeader }: { maxCharacters: number; checkHeader(header: readonly string[]): string[] },
): AsyncGenerator<FileRecord> {
  const skipped: FileRecord[] = [];
  const hasHeader = (start: string) => /[\r\n]/.test(start.trimStart()) || start.length > maxCharacters;
  const { start, text } = await peek(chunks, hasHeader);
  if (start.trim() === '') throw new CommandError('the file is empty');
  const csv = parse({
    delimiter: detectDelimiter(start),
    columns: checkHeader,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxCharacters,
    // The message of the parser is dropped: it quotes the line, which may contain a password.
    on_skip: (error) => {
      const line = Number(error?.lines ?? 0);
      if (error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
        skipped.push({ line, rejected: 'The number of columns is not that of the header.' });
      else csv.destroy(createMalformedError(line, error?.code));
      return undefined;
    },
  });
  const reading = pipeline(text, csv);
  // Rejected by the iteration as well; without a handler here it would count as unhandled.
  reading.catch(() => {});
  for await (const { info, record } of csv as AsyncIterable<{ info: { lines: number }; record: RawRecord }>) {
    // The parser reads ahead.
    while (skipped[0] !== undefined && skipped[0].line < info.lines) yield skipped.shift()!;
    yield { line: info.lines, members: record };
  }
  await reading;
  yield* skipped;
}

const DELIMITERS = [',', ';', '\t'];

/** Returns the separator that the header has most: spreadsheets of some languages write semicolons, others tabs. */
function detectDelimiter(start: string): string {
  const [header = ''] = start.trimStart().split(/[\r\n]/);
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0]!;
}

/** Reads until `isEnough` of the start, and returns that and the whole text. */
export async function peek(chunks: AsyncIterable<string>, isEnough: (start: string) => boolean) {
  const iterator = chunks[Symbol.asyncIterator]();
  let [start, isDone] = ['', false];
  while (!isDone && !isEnough(start)) {
    const { value = '', done = false } = await iterator.next();
    [start, isDone] = [start + value, done];
  }
  async function* join() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { start, text: join() };
}

/** After a misplaced quote, nothing says where the next record begins: the rest would be swallowed. */
function createMalformedError(line: number, code = 'unknown'): CommandError {
  const what = 'correct it and import the file again; the lines before may have been imported';
  return new CommandError(`the file is not valid CSV up to line ${line} (${code}): ${what}`);
}

export async function* readNdjson(
  chunks: AsyncIterable<string>,
  maxCharacters: number,
): AsyncGenerator<FileRecord> {
  let line = 0;
  for await (const text of splitLines(chunks, maxCharacters)) {
    line++;
    if (text.trim() !== '') yield { line, ...parseLine(text, maxCharacters) };
  }
}

function parseLine(text: string, maxCharacters: number): { members: RawRecord } | { rejected: string } {
  if (text.length > maxCharacters) return { rejected: 'The line is too long.' };
  const parsed = parseStrictText(text);
  if ('reason' in parsed) return { rejected: parsed.reason };
  return isObject(parsed.value) ? { members: parsed.value } : { rejected: 'The line is not a JSON object.' };
}

/** Not `readline`, which also splits at U+2028 within JSON strings. A line that is too long is cut off. */
async function* splitLines(chunks: AsyncIterable<string>, maxCharacters: number): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!.slice(0, maxCharacters + 1);
    yield* lines;
  }
  yield rest;
}

/**
 * Reads the elements of a list: the document itself, or a member of the object that the document is.
 * @throws CommandError when the rest of the file cannot be read
 */
export async function* readList(
  chunks: AsyncIterable<string>,
  member: string | null,
): AsyncGenerator<FileRecord> {
  const list = streamArray.asStream();
  const stages = member === null ? [] : [pick.asStream({ filter: member })];
  const reading = pipeline([Readable.from(chunks), parser.asStream(), ...stages, list]);
  reading.catch(() => {});
  let line = 0;
  try {
    for await (const { value } of list as AsyncIterable<{ value: unknown }>) {
      line++;
      yield isObject(value)
        ? { line, members: value }
        : { line, rejected: 'The element is not a JSON object.' };
    }
    await reading;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // The caught error is dropped: its message quotes the file.
    const where = member === null ? 'a list' : `a list ${member}`;
    throw new CommandError(`the file is not JSON with ${where}; ${line} users were read before that`);
  }
  if (line === 0 && member !== null)
    throw new CommandError(`the file has no list ${member}, or an empty one`);
}

export function isObject(value: unknown): value is RawRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
