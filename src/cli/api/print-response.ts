/** Prints responses: as text for people, or as JSON for programs. Streams and other types are passed through. */
import { pipeline } from 'node:stream/promises';
import { type CommandContext, formatTable, printable, toJsonLines } from '../context.ts';

export async function printResponse(
  response: Response,
  { print, printError, stdout }: CommandContext,
  asJson: boolean,
): Promise<void> {
  if (response.body === null) return asJson ? undefined : print('Done.');
  // Not `application/x-ndjson`.
  if (!/^application\/(?:[\w-]+\+)?json\b/.test(response.headers.get('content-type') ?? ''))
    return pipeline(response.body, stdout, { end: false });
  const body = (await response.json()) as { message?: string; data?: object; next_cursor?: string | null };
  if (asJson) return print(JSON.stringify(body, null, 2));
  const { data, message, next_cursor, ...others } = body;
  const isList = Array.isArray(data);
  for (const line of isList ? formatRecords(data) : formatMembers(data ?? others)) print(line);
  if (!isList && data === undefined && Object.keys(others).length === 0) print(printable(message ?? ''));
  if (next_cursor) printError(`There are more: --all, or --cursor ${next_cursor}`);
}

/** Prints the records of all pages. With JSON, each line is a record, as soon as it has arrived. */
export async function printRecords(
  records: AsyncIterable<object>,
  { print, stdout }: CommandContext,
  asJson: boolean,
): Promise<void> {
  if (asJson) return pipeline(toJsonLines(records), stdout, { end: false });
  for (const line of formatRecords(await Array.fromAsync(records))) print(line);
}

const MAX_WIDTH = 40;

/** Returns a table without the columns that are empty in all rows. Long cells are cut. */
function formatRecords(records: readonly object[]): string[] {
  const rows = records.map((record) => new Map(listMembers(record)));
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const columns = [...names].filter((name) => rows.some((row) => isFilled(row.get(name))));
  const toCell = (text = '-') => (text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text);
  const cells = rows.map((row) => columns.map((name) => toCell(row.get(name))));
  return rows.length === 0 ? ['No records.'] : formatTable([columns, ...cells]);
}

function isFilled(text: string | undefined): boolean {
  return text !== undefined && text !== '-';
}

/** Returns a line for each member, with its whole value: secrets are shown once. Lists of records are tables of their own. */
function formatMembers(value: object): string[] {
  const lists = Object.entries(value).filter(([, member]) => isRecords(member));
  const others = Object.entries(value).filter(([, member]) => !isRecords(member));
  const tables = lists.flatMap(([name, records]) => ['', `${printable(name)}:`, ...formatRecords(records)]);
  return [...formatTable(listMembers(Object.fromEntries(others))), ...tables].slice(
    others.length === 0 ? 1 : 0,
  );
}

function isRecords(member: unknown): member is readonly object[] {
  return Array.isArray(member) && member.length > 0 && typeof member[0] === 'object';
}

/** Returns names and texts of members, those of nested objects as `a.b`. */
function listMembers(value: object): [string, string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (typeof member !== 'object' || member === null)
      return [[printable(name), printable(member === null ? null : String(member))]];
    const isNested = !Array.isArray(member) && Object.keys(member).length > 0;
    if (isNested) return listMembers(member).map(([inner, text]) => [`${printable(name)}.${inner}`, text]);
    return [[printable(name), formatNested(member)]];
  });
}

function formatNested(member: object): string {
  if (!Array.isArray(member) || member.length === 0) return '-';
  const isPlain = member.every((item) => typeof item !== 'object');
  return printable(isPlain ? member.join(', ') : JSON.stringify(member));
}
