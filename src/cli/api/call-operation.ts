/** Calls an operation with the values of the command line, and prints its response: as text for people, or as JSON for programs. */
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type CommandContext,
  CommandError,
  formatTable,
  printable,
  readTextFile,
  toJsonLines,
} from '../context.ts';
import { type Connection, type Operation, send } from './connection.ts';

/** Media types of the response: problem details for errors, else those of the operation. */
const ACCEPT = 'application/problem+json, application/json;q=0.9, */*;q=0.8';

export interface OperationCall {
  readonly operation: Operation;
  /** By the names of the parameters. */
  readonly values: ReadonlyMap<string, string>;
  readonly body?: string;
}

/** Returns the successful response. @throws CommandError with the reason of an error response */
export async function callOperation(connection: Connection, { operation, values, body }: OperationCall) {
  const { method, parameters, security } = operation;
  const getValues = (kind: string) =>
    parameters.flatMap((parameter): [string, string][] => {
      const value = parameter.in === kind ? values.get(parameter.name) : undefined;
      return value === undefined ? [] : [[parameter.name, value]];
    });
  const path = getValues('path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, () => encodeURIComponent(value)),
    operation.path,
  );
  const query = new URLSearchParams(getValues('query'));
  const headers = {
    ...Object.fromEntries(getValues('header')),
    accept: ACCEPT,
    ...(security.length === 0 ? {} : { authorization: `Bearer ${connection.getCredential()}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await send(connection, query.size === 0 ? path : `${path}?${query}`, {
    ...{ method, headers },
    ...(body === undefined ? {} : { body }),
  });
  if (response.status < 400) return response;
  throw new CommandError(await describeError(response));
}

/** Returns one line, also for the response of a proxy. */
async function describeError(response: Response): Promise<string> {
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body: { detail?: string; code?: string; errors?: { detail: string }[] } = isJson
    ? await response.json()
    : {};
  const details = body.errors?.map(({ detail }) => detail) ?? [];
  const reasons = details.length > 0 ? details : [body.detail ?? response.statusText];
  return printable(`${reasons.join(' ')} (${[response.status, body.code].join(' ').trim()})`);
}

export async function* readAllPages(connection: Connection, { operation, values }: OperationCall) {
  let cursor = values.get('cursor');
  while (true) {
    const page = new Map([
      ['limit', '100'],
      ...values,
      ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
    ]);
    const response = await callOperation(connection, { operation, values: page });
    const { data } = (await response.json()) as { data: object[] };
    yield* data;
    const next = findNextCursor(response);
    // A feed has a next page at its end, too: the same one.
    if (next === undefined || next === cursor) return;
    cursor = next;
  }
}

/** Returns only the cursor of the link: its URL may name another host than `--url`. */
function findNextCursor({ headers }: Response): string | undefined {
  return /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** Returns JSON text, or the content of the file or of standard input. @throws CommandError */
export async function readBody(given: string, { stdin }: CommandContext): Promise<string> {
  if (!given.startsWith('@')) return given;
  const file = given.slice(1);
  return file === '-' ? text(stdin) : readTextFile(file);
}

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
  { letReaderEnd, print, stdout }: CommandContext,
  asJson: boolean,
): Promise<void> {
  letReaderEnd();
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

const isFilled = (text: string | undefined): boolean => text !== undefined && text !== '-';

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
