/** Calls an operation with the values of the command line. */
import { text } from 'node:stream/consumers';
import { type CommandContext, CommandError, printable, readTextFile } from '../context.ts';
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
export async function callOperation(
  connection: Connection,
  { operation, values, body }: OperationCall,
): Promise<Response> {
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

export async function* readAllPages(
  connection: Connection,
  { operation, values }: OperationCall,
): AsyncGenerator<object> {
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
