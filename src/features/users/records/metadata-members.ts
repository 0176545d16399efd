/** Members of metadata by which users can be filtered: `app_metadata.plan` is the member `plan` of `app_metadata`. */
import { hash } from 'node:crypto';
import { parseMetadata, type StoredMetadata } from './metadata.ts';

/** Names that a filter can have. */
const NAME = /^[^\s:,\p{Cc}]{1,64}$/u;

/** Of both metadata together. Each is a row more to write. */
export const MAX_INDEXED_MEMBERS = 20;

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
