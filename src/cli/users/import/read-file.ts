/** Reads the entries of a CSV or NDJSON file in the format of this service one by one. */
import type { Readable } from 'node:stream';
import { ENTRY_MEMBERS, IGNORED_MEMBERS } from '../../../features/users/import-users/read-entry.ts';
import { unguardFormula } from '../../../lib/text/spreadsheet-formulas.ts';
import { CommandError } from '../../output.ts';
import { decode, type FileRecord, type RawRecord, readCsv, readNdjson } from './read-records.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const MAX_RECORD_CHARACTERS = 65_536;

/** @throws CommandError when the file as a whole cannot be read */
export function readEntries(input: Readable, format: Format): AsyncIterable<FileRecord> {
  const text = decode(input);
  return format === 'csv' ? readOwnCsv(text) : readNdjson(text, MAX_RECORD_CHARACTERS);
}

async function* readOwnCsv(text: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  for await (const each of readCsv(text, { maxCharacters: MAX_RECORD_CHARACTERS, checkHeader }))
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
