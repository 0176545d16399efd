/** Reads the records of a file one by one: in the format of this service, or an export of another product. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { readTable, UnreadableFile } from '../../../database/sqlite/read-table.ts';
import { ENTRY_MEMBERS, IGNORED_MEMBERS } from '../../../features/users/read-entry.ts';
import { unguardFormula } from '../../../lib/text/text.ts';
import { type CommandContext, CommandError } from '../../context.ts';
import {
  decode,
  type FileRecord,
  peek,
  type RawRecord,
  readCsv,
  readList,
  readNdjson,
} from './read-records.ts';
import type { Source } from './sources/source.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Rows of other products may contain metadata of their applications. */
const MAX_CHARACTERS = { own: 65_536, exported: 1_048_576 };

/** Reads entries in the format of this service. @throws CommandError when the file as a whole cannot be read */
export function readEntries(input: Readable, format: Format): AsyncIterable<FileRecord> {
  const text = decode(input);
  return format === 'csv' ? readOwnCsv(text) : readNdjson(text, MAX_CHARACTERS.own);
}

async function* readOwnCsv(text: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  for await (const each of readCsv(text, { maxCharacters: MAX_CHARACTERS.own, checkHeader: readOwnHeader }))
    yield 'members' in each ? { ...each, members: removeFormulaGuards(each.members) } : each;
}

/** Columns of other services, whose values are taken as they are. The export has no such value to guard. */
const EXACT = ['password', 'password_hash'];

/** Removes the apostrophes that the export adds to values that a spreadsheet would execute. */
function removeFormulaGuards(record: RawRecord): RawRecord {
  const members = Object.entries(record);
  return Object.fromEntries(
    members.map(([name, value]) => [name, EXACT.includes(name) ? value : unguardFormula(String(value))]),
  );
}

/** Returns the names in lower case, because spreadsheets have titles. The error quotes none: without a header, it may be a password. */
function readOwnHeader(header: readonly string[]): string[] {
  const names = readHeader(header.map((name) => name.toLowerCase()));
  const known = `the columns are ${ENTRY_MEMBERS.join(', ')}`;
  const isKnown = (name: string) => ENTRY_MEMBERS.includes(name) || IGNORED_MEMBERS.includes(name);
  const unknown = names.flatMap((name, index) => (isKnown(name) ? [] : [index + 1]));
  if (unknown.length > 0)
    throw new CommandError(`the first line has unknown names, in column ${unknown.join(', ')}: ${known}`);
  if (!names.includes('email')) throw new CommandError(`the column email is missing: ${known}`);
  return names;
}

export interface RecordFile {
  readonly file: string;
  readonly input: Readable;
  readonly format?: Format | undefined;
  readonly table?: string | undefined;
}

/** Reads records of another product, in the format that its name and its first character show. @throws CommandError when the rest of the file cannot be read */
export async function* readSourceFile(
  source: Pick<Source, 'list' | 'table'>,
  { file, input, format, table = source.table }: RecordFile,
): AsyncGenerator<FileRecord> {
  const extension = extname(file).toLowerCase();
  if (table !== undefined && ['.db', '.sqlite', '.sqlite3'].includes(extension))
    return yield* readRows(file, table);
  const { start, text } = await peek(decode(input), (start) => start.trim() !== '');
  if (format === 'csv' || (format === undefined && extension === '.csv'))
    yield* readCsv(text, { maxCharacters: MAX_CHARACTERS.exported, checkHeader: readHeader });
  else if (format === undefined && start.trimStart().startsWith('[')) yield* readList(text, null);
  else if (format === undefined && source.list !== null) yield* readList(text, source.list);
  else yield* readNdjson(text, MAX_CHARACTERS.exported);
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

function readHeader(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const again = names.findIndex((name, index) => names.indexOf(name) < index);
  if (again !== -1) throw new CommandError(`column ${again + 1} has the name of an earlier one, or none`);
  return names;
}

export type InputFile = Awaited<ReturnType<typeof openInput>>;
export type InputContext = Pick<CommandContext, 'stdin' | 'stderr' | 'onInterrupt'>;

/** Opens a file, or standard input for `-`. @throws CommandError */
export async function openInput(file: string, context: InputContext) {
  const { stream, size } = file === '-' ? { stream: context.stdin, size: 0 } : await openFile(file);
  const bar = size > 0 && context.stderr.isTTY === true ? await createBar(size, context.stderr) : null;
  let bytes = 0;
  stream.on('data', (chunk) => {
    bytes += chunk.length;
  });
  stream.pause();
  let isInterrupted = false;
  const ignoreInterrupts = context.onInterrupt(() => {
    isInterrupted = true;
  });
  return {
    stream,
    /** Whether Ctrl-C was pressed: the current batch is completed first. */
    isInterrupted: () => isInterrupted,
    showProgress: (counts: Readonly<Record<string, number>>) => bar?.update(bytes, counts),
    close() {
      ignoreInterrupts();
      bar?.stop();
      stream.destroy();
    },
  };
}

async function openFile(file: string): Promise<{ stream: Readable; size: number }> {
  try {
    const handle = await open(file);
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(), size };
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function createBar(size: number, stderr: Writable) {
  const { SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    format:
      '{bar} {percentage}% | {imported} imported, {existing} skipped, {rejected} rejected | {eta_formatted}',
    stream: stderr,
  });
  bar.start(size, 0, { imported: 0, existing: 0, rejected: 0 });
  return bar;
}
