/** Keeps the keys of users in the index of metadata: with each write of metadata, and after a change of the index. */
import type { Tx } from '../../../../database/database.ts';
import type { StoredMetadata } from '../metadata.ts';
import { toMetadataKeys } from '../metadata-members.ts';
import {
  insertMetadataKeys,
  lockOutdatedUsers,
  replaceMetadataKeys,
  type UserKeys,
} from '../search-queries.ts';
import { lockMetadataIndex, type MetadataIndex, readMetadataIndex } from './metadata-index.ts';

type IndexedUser = StoredMetadata & { readonly id: string };

export function hasMetadata({ user_metadata, app_metadata }: StoredMetadata): boolean {
  return user_metadata !== null || app_metadata !== null;
}

/** Returns the generation to be stored in the row of a user. */
export function toGeneration(user: StoredMetadata, { generation }: MetadataIndex): number | null {
  return hasMetadata(user) ? generation : null;
}

/** Stores the keys of users that the transaction has inserted, with the generation of this index. */
export async function indexNewUsers(
  tx: Tx,
  users: readonly IndexedUser[],
  { members }: MetadataIndex,
): Promise<void> {
  await insertMetadataKeys(tx, toUserKeys(users, members));
}

/** Replaces the keys of a user whose metadata the transaction has changed. */
export async function reindexUser(
  tx: Tx,
  user: IndexedUser,
  { generation, members }: MetadataIndex,
): Promise<void> {
  // No user has keys before the first member is indexed.
  if (generation > 0) await replaceMetadataKeys(tx, toUserKeys([user], members));
}

/** Users per transaction: each has rows in two tables. */
export const INDEX_BATCH_SIZE = 100;

/** Indexes at most `limit` outdated users, and returns their number. One node at a time does. */
export async function indexOutdatedUsers(tx: Tx, limit: number): Promise<number> {
  await lockMetadataIndex(tx);
  const { generation, members } = await readMetadataIndex(tx);
  if (generation === 0) return 0;
  const users = await lockOutdatedUsers(tx, generation, limit);
  if (users.length > 0) await replaceMetadataKeys(tx, toUserKeys(users, members));
  return users.length;
}

function toUserKeys(users: readonly IndexedUser[], members: readonly string[]): UserKeys[] {
  return users.map((user) => ({ userId: user.id, keys: toMetadataKeys(user, members) }));
}
