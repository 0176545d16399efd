/**
 * The index of metadata: its members, and a generation that increases with each change of them. Every write of metadata
 * uses the members in the database, not those of its node. Users with an earlier generation are outdated: they are
 * indexed again in the background, and lists read them besides the index until then.
 */
import type { Database, Reader, Tx } from '../../../../database/database.ts';
import { lockSetting, readSetting, writeSetting } from '../../../../database/settings.ts';

export interface MetadataIndex {
  /** 0 until the first member is indexed. */
  readonly generation: number;
  /** Sorted. */
  readonly members: readonly string[];
}

const NAME = 'metadata_index';
const NONE: MetadataIndex = { generation: 0, members: [] };

export async function readMetadataIndex(reader: Reader): Promise<MetadataIndex> {
  const stored = await readSetting(reader, NAME);
  return stored ? (JSON.parse(stored) as MetadataIndex) : NONE;
}

/** Makes these the members of the index. All users become outdated unless they are its members already. */
export async function setMetadataIndex(database: Database, members: readonly string[]): Promise<void> {
  const sorted = members.toSorted();
  if (hasMembers(await readMetadataIndex(database), sorted)) return;
  await database.transaction(async (tx) => {
    await lockMetadataIndex(tx);
    const before = await readMetadataIndex(tx);
    if (hasMembers(before, sorted)) return;
    const after: MetadataIndex = { generation: before.generation + 1, members: sorted };
    await writeSetting(tx, NAME, JSON.stringify(after));
  });
}

/** Lets transactions that call it run one after the other, on all nodes. */
export function lockMetadataIndex(tx: Tx): Promise<number> {
  return lockSetting(tx, NAME);
}

function hasMembers({ members }: MetadataIndex, sorted: readonly string[]): boolean {
  return members.join() === sorted.join();
}
