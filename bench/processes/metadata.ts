/** Metadata of seeded users, and its index. */
import type { Database, Tx } from '../../src/database/database.ts';
import { indexNewUsers } from '../../src/features/users/records/metadata-index/index-users.ts';
import {
  readMetadataIndex,
  setMetadataIndex,
} from '../../src/features/users/records/metadata-index/metadata-index.ts';

const MEMBERS = ['app_metadata.customer', 'app_metadata.plan'];
/** As the service has to be started with. */
export const METADATA_INDEX = MEMBERS.join();

/** Makes the members those of the index, as the start of the service does. */
export function indexMembers(database: Database): Promise<void> {
  return setMetadataIndex(database, MEMBERS);
}

/** A hundred users have the same customer, and every tenth the plan `pro`. */
export function createMetadata(number: number): string {
  const customer = `customer-${Math.floor(number / 100)}`;
  return JSON.stringify({ customer, plan: number % 10 === 0 ? 'pro' : 'free', seats: number % 7 });
}

/** Generation of the first index of a database. */
export const GENERATION = 1;

export async function indexUsers(tx: Tx, users: ReadonlyMap<string, string>): Promise<void> {
  const rows = Array.from(users, ([id, app_metadata]) => ({ id, app_metadata, user_metadata: null }));
  await indexNewUsers(tx, rows, await readMetadataIndex(tx));
}
