/**
 * Data of the application about a user: `user_metadata`, which the user may write, and `app_metadata`, which only the
 * administrator may write. Both are JSON objects, stored as text, null for an empty one.
 */
import { hash } from 'node:crypto';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { findClaimError } from './custom-claims.ts';

export type Metadata = Readonly<Record<string, unknown>>;

export const METADATA_MEMBERS = ['user_metadata', 'app_metadata'] as const;
export type MetadataMember = (typeof METADATA_MEMBERS)[number];

export type StoredMetadata = { readonly [member in MetadataMember]: string | null };

/** Largest size of the JSON text in UTF-8. */
export const MAX_METADATA_BYTES = 4_096;
/** Levels of objects and arrays; the metadata itself is the first. */
const MAX_METADATA_DEPTH = 8;

const EMPTY: Metadata = Object.freeze({});

export function parseMetadata(stored: string | null): Metadata {
  return stored === null ? EMPTY : JSON.parse(stored);
}

/**
 * Returns the stored form of the metadata after a merge patch (RFC 7396): members that are null are removed, objects
 * are merged, everything else is replaced. A patch that is null removes everything.
 * @throws Problem validation_failed, which names the member
 */
export function patchMetadata(
  stored: string | null,
  patch: Metadata | null | undefined,
  member: MetadataMember,
): string | null {
  if (patch === undefined) return stored;
  if (patch === null) return null;
  const reason = findUnstorable(patch, 1);
  if (reason !== null) throw validationFailed({ [member]: [`The ${member} field ${reason}.`] });
  const merged = mergePatch(parseMetadata(stored), patch) as Metadata;
  // Claims that an earlier release has stored for another purpose do not prevent other changes.
  const error = member === 'app_metadata' && patch.claims != null ? findClaimError(merged.claims) : null;
  if (error !== null) throw validationFailed({ [member]: [`The ${member} field ${error}.`] });
  const text = JSON.stringify(merged);
  if (Buffer.byteLength(text) > MAX_METADATA_BYTES)
    throw validationFailed({
      [member]: [`The ${member} field must not be larger than ${MAX_METADATA_BYTES} bytes of JSON.`],
    });
  return text === '{}' ? null : text;
}

/** `Object.fromEntries` makes `__proto__` a member like any other. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

export function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns why the value would be changed by storing it, or is too deep; null if it can be stored. */
function findUnstorable(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return findUnstorableText(value);
  if (typeof value === 'number') {
    // I-JSON (RFC 7493, 2.2): receivers read other numbers as different ones.
    const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    return isExact ? null : 'must not contain integers beyond 2^53 - 1: write them as strings';
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_METADATA_DEPTH) return `must not be nested deeper than ${MAX_METADATA_DEPTH} levels`;
  for (const [name, member] of Object.entries(value)) {
    const reason = findUnstorableText(name) ?? findUnstorable(member, depth + 1);
    if (reason !== null) return reason;
  }
  return null;
}

function findUnstorableText(text: string): string | null {
  return text.isWellFormed() && !text.includes('\0')
    ? null
    : 'must not contain U+0000 or half of a surrogate pair';
}

/** Names of members in filters: `app_metadata.plan` is the member `plan` of `app_metadata`. */
const NAME = /^[^\s:,\p{Cc}]{1,64}$/u;

/** Of both metadata together. Each is a row more to write. */
const MAX_INDEXED_MEMBERS = 20;

/** A member and the text that it must have. */
export interface MetadataCondition {
  readonly member: string;
  readonly value: string;
}

/** Returns the first texts at the top level. `app_metadata` comes first: what users write does not displace it. */
function listTexts(user: StoredMetadata): MetadataCondition[] {
  const texts: MetadataCondition[] = [];
  for (const column of ['app_metadata', 'user_metadata'] as const)
    for (const [name, value] of Object.entries(parseMetadata(user[column])))
      if (typeof value === 'string' && NAME.test(name)) texts.push({ member: `${column}.${name}`, value });
  return texts.slice(0, MAX_INDEXED_MEMBERS);
}

/** Whether an indexed member of the user is exactly this text. */
export function matchesCondition(user: StoredMetadata, { member, value }: MetadataCondition): boolean {
  const stored = member.startsWith('app_metadata.') ? user.app_metadata : user.user_metadata;
  // Most users do not contain the text at all, which is faster to find out.
  if (!stored?.includes(JSON.stringify(value))) return false;
  return listTexts(user).some((text) => text.member === member && text.value === value);
}

/** The key of a member of a user in the index. */
export interface MetadataKey {
  readonly member: string;
  readonly valueKey: string;
}

/** Returns the keys of a user. */
export function toMetadataKeys(user: StoredMetadata): MetadataKey[] {
  return listTexts(user).map(({ member, value }) => ({ member, valueKey: toValueKey(value) }));
}

const MAX_KEY_LENGTH = 64;

/** Returns the form of a value in the index: of a long one, a digest, which another value may have as well. */
export function toValueKey(value: string): string {
  return value.length <= MAX_KEY_LENGTH ? value : hash('sha256', value, 'base64url');
}
