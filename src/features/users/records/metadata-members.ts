/** Members of metadata by which users can be filtered: `app_metadata.plan` is the member `plan` of `app_metadata`. */
import { hash } from 'node:crypto';
import type { MetadataMember, StoredMetadata } from './metadata.ts';
import { parseMetadata } from './metadata.ts';

/** Without the separators of lists and of filters. */
const INDEXED_MEMBER = /^(?:user|app)_metadata\.[^\s:,\p{Cc}]{1,64}$/u;

/** Each is a row more to write for a user that has it. */
export const MAX_INDEXED_MEMBERS = 5;

/** Whether the text can name an indexed member. */
export function isIndexedMember(text: string): boolean {
  return INDEXED_MEMBER.test(text) && text.isWellFormed();
}

/** The value that a member must have. */
export interface MetadataCondition {
  readonly member: string;
  readonly value: string;
}

/** Whether the member is exactly this text. */
export function matchesCondition(user: StoredMetadata, { member, value }: MetadataCondition): boolean {
  const { column, name } = split(member);
  const stored = user[column];
  // Most users do not contain the text at all, which is faster to find out.
  if (!stored?.includes(JSON.stringify(value))) return false;
  return readMemberText(stored, name) === value;
}

function split(member: string): { readonly column: MetadataMember; readonly name: string } {
  const dot = member.indexOf('.');
  return { column: member.slice(0, dot) as MetadataMember, name: member.slice(dot + 1) };
}

/** Returns the member if it is a text, or undefined. */
function readMemberText(stored: string | null, name: string): string | undefined {
  const metadata = parseMetadata(stored);
  const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The key of a member of a user in the index. */
export interface MetadataKey {
  readonly member: string;
  readonly valueKey: string;
}

/** Returns the keys of a user. Members that are no texts have none. */
export function toMetadataKeys(user: StoredMetadata, members: readonly string[]): MetadataKey[] {
  return members.flatMap((member) => {
    const { column, name } = split(member);
    const value = readMemberText(user[column], name);
    return value === undefined ? [] : [{ member, valueKey: toValueKey(value) }];
  });
}

const MAX_KEY_LENGTH = 64;

/** Returns the form of a value in the index: of a long one, a digest, which another value may have as well. */
export function toValueKey(value: string): string {
  return value.length <= MAX_KEY_LENGTH ? value : hash('sha256', value, 'base64url');
}
