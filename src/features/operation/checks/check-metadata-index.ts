/** Checks whether all users are in the index of metadata. */
import type { Database } from '../../../database/database.ts';
import { formatCount } from '../../../lib/text/count.ts';
import { readMetadataIndex } from '../../users/records/metadata-index/metadata-index.ts';
import { listOutdatedUsers } from '../../users/records/metadata-index/queries.ts';
import { type Finding, ok, warning } from './finding.ts';

/** More users are not counted. */
const MAX_COUNTED = 1_000;
const CHECK = 'metadata index';

/** No finding as long as no member was ever indexed. */
export async function checkMetadataIndex(database: Database): Promise<Finding[]> {
  const { generation, members } = await readMetadataIndex(database);
  if (generation === 0) return [];
  const outdated = (await listOutdatedUsers(database, generation, MAX_COUNTED + 1)).length;
  if (outdated === 0) {
    const contents = members.length === 0 ? 'no member' : members.join(', ');
    return [ok(CHECK, `All users are indexed: METADATA_INDEX of the last start names ${contents}`)];
  }
  const count = outdated > MAX_COUNTED ? `more than ${MAX_COUNTED} users` : formatCount(outdated, 'user');
  return [
    warning(
      CHECK,
      `the metadata of ${count} is not indexed yet after a change of METADATA_INDEX: the housekeeping of a running node does it; until then, filters by metadata are complete, but slower`,
    ),
  ];
}
