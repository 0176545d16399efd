/** Reads the records of an export of another product in the format that its name and its first character show. */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { readTable, UnreadableFile } from '../../../database/sqlite/read-table.ts';
import { CommandError } from '../../output.ts';
import type { Format } from './read-file.ts';
import { decode, type FileRecord, readCsv, readList, readNdjson } from './read-records.ts';
import type { Source } from './sources/source.ts';

/** Rows of other products may contain metadata of their applications. */
const MAX_RECORD_CHARACTERS = 1_048_576;

export interface RecordFile {
  readonly file: string;
  readonly input: Readable;
  readonly format?: Format | undefined;
  readonly table?: string | undefined;
}

/** @throws CommandError when the rest of the file cannot be read */
export async function* readSourceFile(
  source: Pick<Source, 'list' | 'table'>,
  { file, input, format, table = source.table }: RecordFile,
): AsyncGenerator<FileRecord> {
  const extension = extname(file).toLowerCase();
  if (table !== undefined && ['.db', '.sqlite', '.sqlite3'].includes(extension))
    return yield* readRows(file, table);
  const { first, text } = await peek(decode(input));
  if (format === 'csv' || (format === undefined && extension === '.csv'))
    yield* readCsv(text, { maxCharacters: MAX_RECORD_CHARACTERS, checkHeader });
  else if (format === undefined && first === '[') yield* readList(text, null);
  else if (format === undefined && source.list !== null) yield* readList(text, source.list);
  else yield* readNdjson(text, MAX_RECORD_CHARACTERS);
}

function* readRows(file: string, table: string): Generator<FileRecord> {
  let line = 0;
  try {
    for (const members of readTable(file, table)) yield { line: ++line, members };
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw new CommandError(`${file} cannot be read after ${line} rows: ${error.message}`);
    throw error;
  }
}

/** Returns the first character that is not white space, and the whole text. */
async function peek(chunks: AsyncGenerator<string>): Promise<{ first: string; text: AsyncIterable<string> }> {
  let start = '';
  while (start.trim() === '') {
    const { value, done } = await chunks.next();
    if (done === true) break;
    start = value;
  }
  async function* join() {
    yield start;
    yield* chunks;
  }
  return { first: start.trimStart().charAt(0), text: join() };
}

function checkHeader(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  if (new Set(names).size < names.length) throw new CommandError('a column occurs twice');
  return names;
}
