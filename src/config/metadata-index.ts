import { isIndexedMember, MAX_INDEXED_MEMBERS } from '../features/users/records/metadata-index/members.ts';
import { quoted } from '../settings/rules.ts';
import { ConfigError, type Reader } from './reader.ts';

/** Reads the members of metadata by which users can be filtered, each once. @throws ConfigError */
export function metadataIndex(read: Reader, name: string): string[] {
  const members = [...new Set(read.list(name))];
  for (const member of members) {
    if (!isIndexedMember(member))
      throw new ConfigError(
        name,
        `must list members such as app_metadata.plan or user_metadata.company, whose names have at most 64 characters without white space and colons, not ${quoted(member)}`,
      );
  }
  if (members.length > MAX_INDEXED_MEMBERS)
    throw new ConfigError(name, `must list at most ${MAX_INDEXED_MEMBERS} members, not ${members.length}`);
  return members;
}
