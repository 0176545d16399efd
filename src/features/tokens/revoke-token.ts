import type { Database } from '../../database/database.ts';
import { isId } from '../../lib/ids.ts';
import { Problem } from '../../problems.ts';
import { deleteToken } from './queries.ts';

/** A user ends one of their own tokens; that of somebody else is as unknown as none. @throws Problem token_not_found */
export async function revokeToken(database: Database, id: string, userId: string): Promise<void> {
  const revoked = isId(id) && (await database.transaction((tx) => deleteToken(tx, id, userId)));
  if (!revoked) throw new Problem('token_not_found');
}
