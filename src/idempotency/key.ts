/** The Idempotency-Key header, and the fingerprint that a retry shares with the original request. */
import { createHmac } from 'node:crypto';
import { Problem } from '../problems/problem.ts';

/** An RFC 9651 string: visible ASCII and spaces, quotes and backslashes escaped. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/;

/** Returns the key; undefined without the header. @throws Problem idempotency_key_malformed */
export function readIdempotencyKey(fields: readonly string[] | undefined): string | undefined {
  if (fields === undefined) return undefined;
  const [text = ''] = fields;
  const quoted = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1');
  const key = quoted ?? (BARE.test(text) ? text : undefined);
  if (key === undefined || fields.length > 1) throw new Problem('idempotency_key_malformed');
  return key;
}

/** Returns an HMAC of the content, in any order of members: a plain hash would help to guess a password. */
export function fingerprint(
  secret: Uint8Array,
  { route, params, body }: { readonly route: string; readonly params: unknown; readonly body: unknown },
): string {
  return createHmac('sha256', secret)
    .update(`${route}\n${canonical(params)}\n${canonical(body)}`)
    .digest('base64url');
}

/** Returns JSON with sorted members. Stored fingerprints depend on each byte of it. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalar(value);
  let text = '';
  let separator = '';
  if (Array.isArray(value)) {
    for (const element of value) {
      text += separator + canonical(element);
      separator = ',';
    }
    return `[${text}]`;
  }
  const object = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(object).sort()) {
    text += `${separator}${JSON.stringify(name)}:${canonical(object[name])}`;
    separator = ',';
  }
  return `{${text}}`;
}

/** Numbers and booleans without JSON.stringify, which takes longer. */
function scalar(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  return typeof value === 'boolean' ? String(value) : (JSON.stringify(value) ?? '');
}
