/** Finds the users that a filter by metadata leaves. */
import type { Reader } from '../../../../../database/database.ts';
import { invalidFilter } from '../../../../../lib/schema/query-validator.ts';
import { type MetadataCondition, toValueKey } from '../../metadata-index/members.ts';
import { readMetadataIndex } from '../../metadata-index/metadata-index.ts';
import { listOutdatedUsers, selectIdsByMetadataKey } from '../../metadata-index/queries.ts';

/** Requires that the index has the member. @throws Problem invalid_filter */
export async function requireIndexed(reader: Reader, { member }: MetadataCondition): Promise<void> {
  const { members } = await readMetadataIndex(reader);
  if (members.includes(member)) return;
  const text =
    members.length === 0
      ? 'metadata cannot be used: METADATA_INDEX names no member'
      : `metadata must begin with an indexed member and a colon; indexed is ${members.join(', ')}`;
  throw invalidFilter(text);
}

/**
 * Returns at most `limit` ids of users that may match the condition; null if the index was changed meanwhile. Outdated
 * users come first: one that is indexed in between is found in the index.
 */
export async function findByMetadata(
  reader: Reader,
  { member, value }: MetadataCondition,
  limit: number,
): Promise<readonly string[] | null> {
  const { generation } = await readMetadataIndex(reader);
  const outdated = await listOutdatedUsers(reader, generation, limit);
  const found = await selectIdsByMetadataKey(reader, { member, valueKey: toValueKey(value) }, limit);
  const isSame = (await readMetadataIndex(reader)).generation === generation;
  return isSame ? [...outdated, ...found] : null;
}
