import type { Database } from '../../database/database.ts';
import { isId } from '../../lib/ids.ts';
import { Problem } from '../../problems.ts';
import { deleteToken } from './queries.ts';

/**
 * Revokes a token of this user. The token of another user gets the response of an unknown id.
 * @throws Problem token_not_found
 */
export async function revokeToken(database: Database, id: string, userId: string): Promise<void> {
  const revoked = isId(id) && (await database.transaction((tx) => deleteToken(tx, id, userId)));
  if (!revoked) throw new Problem('token_not_found');
}
