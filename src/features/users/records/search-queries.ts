/** Texts by which users are found, kept together with their names and emails. */
import type { Database, Tx } from '../../../database/database.ts';
import { prepareAll, prepareForRows } from '../../../database/prepare.ts';
import { lockSetting } from '../../../database/settings.ts';
import { toSearchText, toTrigrams } from '../../../lib/text/search-text.ts';
import { type MetadataKey, type StoredMetadata, toMetadataKeys } from './metadata.ts';

/** Normalized name and email of a user. */
export interface SearchedKeys {
  readonly id: string;
  readonly nameKey: string | null;
  readonly emailKey: string | null;
}

/** Stores or replaces the texts of users. An erasure deletes them with the users. */
export function writeSearchTexts(tx: Tx, users: readonly SearchedKeys[]): void {
  for (const { id, nameKey, emailKey } of users) tx.setText(id, toSearchText(nameKey, emailKey));
}

/** Returns ids of users, among them all who match the normalized term; null if the index cannot find the term. */
export async function selectIdsByTerm(database: Database, term: string, limit: number) {
  const trigrams = toTrigrams(term);
  if (trigrams.length === 0) return null;
  const rows = await database.all(database.textSearch.find, JSON.stringify(trigrams), limit);
  return rows.map(({ id }) => id);
}

type IndexedUser = StoredMetadata & { readonly id: string };

const INSERT_KEYS = prepareForRows(
  { user_id: 'text', member: 'text', value_key: 'text' },
  `insert into user_metadata_keys (user_id, member, value_key)
    select user_id, member, value_key from given where true`,
);

/** Stores the keys of users that have none. */
export async function insertMetadataKeys(tx: Tx, users: readonly IndexedUser[]): Promise<void> {
  const rows = users.flatMap((user) =>
    toMetadataKeys(user).map(({ member, valueKey }) => [user.id, member, valueKey]),
  );
  await INSERT_KEYS.run(tx, rows);
}

const DELETE_KEYS = prepareForRows(
  { user_id: 'text' },
  `delete from user_metadata_keys where user_id in (select user_id from given)`,
);

/** Replaces the keys of at most 500 users, whose rows the transaction has locked. */
export async function replaceMetadataKeys(tx: Tx, users: readonly IndexedUser[]): Promise<void> {
  const ids = users.map(({ id }) => id);
  await DELETE_KEYS.run(tx, ids);
  await insertMetadataKeys(tx, users);
}

const lockUnindexedUsers = prepareAll<IndexedUser, [limit: number], Tx>(`
  update users set metadata_generation = null
  where id in (
    select id from users where metadata_generation >= 0 order by metadata_generation, id limit $1)
  returning id, user_metadata, app_metadata`);

/**
 * Indexes at most `limit` users whose metadata a node of release 0.2 has written, and returns their number: it has
 * indexed at most five members, and set `metadata_generation`, which is null here. One node at a time does.
 */
export async function indexOldUsers(tx: Tx, limit: number): Promise<number> {
  await lockSetting(tx, 'metadata_index');
  const users = await lockUnindexedUsers(tx, limit);
  if (users.length > 0) await replaceMetadataKeys(tx, users);
  return users.length;
}

/** Returns at most `limit` users who are not indexed yet. */
export const listUnindexedUsers = prepareAll<{ id: string }, [limit: number]>(`
  select users.id from users where metadata_generation >= 0 order by metadata_generation, users.id
  limit $1`);

/** Returns at most `limit` users with this key, which other values may have as well. */
export const listUsersByKey = prepareAll<{ id: string }, MetadataKey & { limit: number }>(`
  select user_id as id from user_metadata_keys where member = $member and value_key = $valueKey
  order by member, value_key, user_id limit $limit`);
