/** What is kept of a response for people: headers that explain it, and the start of its body. */
import type { Readable } from 'node:stream';

export interface KeptResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The start of the body; null if it is empty, compressed, or was not received. */
  readonly body: string | null;
  /** Whether the body goes on. */
  readonly is_cut: boolean;
}

/** No cookies and credentials. */
const KEPT_HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'via',
  'location',
  'allow',
  'retry-after',
  'www-authenticate',
  'x-request-id',
  'cf-ray',
];
const MAX_READ_BYTES = 4_096;
const MAX_KEPT_BYTES = 1_024;
const MAX_CHARACTERS = 200;
/** Control and format characters, among them those that change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const INVISIBLE_IN_TEXT = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns the values of known headers, at most 200 characters each. */
export function keepHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const found = KEPT_HEADERS.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(
    found.map((name) => [name, cut(String(headers[name]).replace(INVISIBLE, '\ufffd'))]),
  );
}

/**
 * Reads at most 4 KiB of a body. Returns the first KiB, in which invisible characters are replaced, and the first line
 * that is not blank, at most 200 characters; neither if the body is compressed. A connection with a longer body is
 * closed.
 */
export async function readStart(body: Readable, encoding: string | string[] | undefined) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream.
    if (size >= MAX_READ_BYTES) break;
  }
  const is_cut = size > MAX_KEPT_BYTES;
  if (encoding !== undefined && encoding !== 'identity') return { line: null, body: null, is_cut };
  const read = Buffer.concat(chunks).subarray(0, MAX_READ_BYTES);
  // A character whose bytes are cut is left out.
  const start = new TextDecoder().decode(read.subarray(0, MAX_KEPT_BYTES), { stream: is_cut });
  const lines = read
    .toString()
    .split(/[\r\n]/)
    .map((line) => line.replace(INVISIBLE, '').trim());
  const line = lines.find((each) => each !== '');
  return {
    line: line === undefined ? null : cut(line).trimEnd(),
    body: start.replace(INVISIBLE_IN_TEXT, '\ufffd') || null,
    is_cut,
  };
}

function cut(text: string): string {
  return Array.from(text).slice(0, MAX_CHARACTERS).join('');
}
