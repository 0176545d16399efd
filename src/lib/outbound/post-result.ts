/** Outcomes of requests: what is kept of a response, and why there was no complete one. */
import type { Readable } from 'node:stream';
import { AddressNotPermitted, NameNotResolved } from './guarded-connector.ts';

/** Stored and public: they never change their meaning. */
export const POST_ERRORS = [
  'timeout',
  'dns',
  'address_not_allowed',
  'refused',
  'unreachable',
  /** The connection was closed before the end of the response. */
  'reset',
  /** No TLS connection, or a certificate that is not valid for the host. */
  'tls',
  'redirect',
  /** The head of the response is larger than 16 KiB. */
  'too_large',
  'invalid_response',
  'aborted',
  'failed',
] as const;
export type PostError = (typeof POST_ERRORS)[number];

const BY_CODE: Readonly<Record<string, PostError>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

/** Names of errors of certificates, which OpenSSL has given, and of the TLS protocol. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$)/;

export function toPostError(error: unknown): PostError {
  if (!(error instanceof Error)) return 'failed';
  if (error instanceof AddressNotPermitted) return 'address_not_allowed';
  if (error instanceof NameNotResolved) return 'dns';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  // Not all of these errors have a code.
  if (error.name === 'HTTPParserError') return 'invalid_response';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (TLS_CODE.test(code)) return 'tls';
  // If a name has several addresses, the last attempt tells most.
  if (error instanceof AggregateError) return toPostError(error.errors.at(-1));
  return BY_CODE[code] ?? 'failed';
}

/** What is kept of a response for people: headers that explain it, and the start of its body. */
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
export function keepHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
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

const cut = (text: string): string => Array.from(text).slice(0, MAX_CHARACTERS).join('');
