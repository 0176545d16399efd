/** Keys of users in the index of metadata, and users whose keys are outdated. */
import { type Reader, sql, type Tx } from '../../../../database/database.ts';
import { prepareAll, prepareForRows } from '../../../../database/prepare.ts';
import { inBatches } from '../../../../database/rows.ts';
import type { MetadataKey } from './members.ts';

export interface UserKeys {
  readonly userId: string;
  readonly keys: readonly MetadataKey[];
}

const INSERT = prepareForRows(
  { user_id: 'text', member: 'text', value_key: 'text' },
  `insert into user_metadata_keys (user_id, member, value_key)
    select user_id, member, value_key from given where true`,
);

/** Stores the keys of users that have none. */
export async function insertMetadataKeys(tx: Tx, users: readonly UserKeys[]): Promise<void> {
  const rows = users.flatMap(({ userId, keys }) =>
    keys.map(({ member, valueKey }) => [userId, member, valueKey]),
  );
  for (const batch of inBatches(rows)) await INSERT.run(tx, batch);
}

const DELETE = prepareForRows(
  { user_id: 'text' },
  `delete from user_metadata_keys where user_id in (select user_id from given)`,
);

/** Replaces the keys of at most 500 users, whose rows the transaction has locked. */
export async function replaceMetadataKeys(tx: Tx, users: readonly UserKeys[]): Promise<void> {
  const ids = users.map(({ userId }) => userId);
  await DELETE.run(tx, ids);
  await insertMetadataKeys(tx, users);
}

interface OutdatedUser {
  readonly id: string;
  readonly user_metadata: string | null;
  readonly app_metadata: string | null;
}

/**
 * Moves at most `limit` users to this generation, and locks their rows until the transaction replaces their keys.
 * Compares the generation twice, because another transaction may have written the metadata meanwhile.
 */
export const lockOutdatedUsers = prepareAll<OutdatedUser, [generation: number, limit: number], Tx>(`
  update users set metadata_generation = $1
  where +metadata_generation < $1 and id in (
    select id from users where metadata_generation < $1 order by metadata_generation, id limit $2)
  returning id, user_metadata, app_metadata`);

const OUTDATED = sql<{ id: string }>(`
  select users.id from users where metadata_generation < $1 order by metadata_generation, users.id limit $2`);

/** Returns at most `limit` ids of users whose keys are of an earlier generation. */
export async function listOutdatedUsers(
  reader: Reader,
  generation: number,
  limit: number,
): Promise<string[]> {
  return (await reader.all(OUTDATED, generation, limit)).map(({ id }) => id);
}

const BY_KEY = sql<{ id: string }>(`
  select user_id as id from user_metadata_keys where member = $1 and value_key = $2
  order by member, value_key, user_id limit $3`);

/** Returns at most `limit` ids of users with this key, which other values may have as well. */
export async function selectIdsByMetadataKey(
  reader: Reader,
  { member, valueKey }: MetadataKey,
  limit: number,
): Promise<string[]> {
  return (await reader.all(BY_KEY, member, valueKey, limit)).map(({ id }) => id);
}
