/** Responses that are stored with the effect of their request. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Tx } from '../database/database.ts';
import type { SerializedResponse } from '../lib/routes/routes.ts';
import { decrypt, encrypt } from '../lib/secrets/encryption.ts';
import { Problem } from '../problems/problem.ts';

/** Resources that a response gives access to: deleting one deletes the stored response too. */
export interface CreatedResources {
  readonly userId?: string | null;
  readonly tokenHash?: string | null;
}

export interface CreatedResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised by the schema of the status. */
  readonly body: object;
  readonly createdResources: CreatedResources;
}

export interface PreparedEffect {
  /** Writes the effect. May run again when the engine asks for a retry. */
  readonly store: (tx: Tx) => Promise<CreatedResponse>;
  /** As of a transaction. */
  readonly isLong?: boolean;
  /** Called after the commit, but not for a replayed response. */
  readonly onStored?: () => void;
}

export interface Sealed {
  readonly salt: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Values that a sealed response is bound to: only the same ones unseal it. */
export interface SealContext {
  readonly secret: Uint8Array;
  readonly clientKey: string;
  readonly rowId: string;
}

/** Encrypts a response. */
export function seal(context: SealContext, response: SerializedResponse): Sealed {
  const salt = randomBytes(16);
  const text = Buffer.from(JSON.stringify(response), 'utf8');
  return { salt, sealed: encrypt({ key: toSealKey(context, salt), boundTo: context.rowId }, text) };
}

/** Decrypts a response. @throws when the key, the row or the content is not the one that was sealed */
export function unseal(context: SealContext, { salt, sealed }: Sealed): SerializedResponse {
  const text = decrypt({ key: toSealKey(context, salt), boundTo: context.rowId }, sealed);
  return JSON.parse(Buffer.from(text).toString('utf8'));
}

function toSealKey({ secret, clientKey }: SealContext, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, clientKey, 32));
}

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
