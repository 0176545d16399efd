/** Users who take over the submissions of one who is erased after a merge, in as many transactions as it takes. */
import type { Tx } from '../../../database/database.ts';
import { deleteSetting, readSetting, readSettings, writeSetting } from '../../../database/settings.ts';
import { lockUser } from '../../users/records/queries.ts';
import { moveSubmissions } from './queries.ts';

const PREFIX = 'heir:';

export async function writeHeir(tx: Tx, userId: string, heirId: string): Promise<void> {
  // Submissions that are still on their way to this user go to the heir as well.
  for (const { name, value } of await readSettings(tx, PREFIX))
    if (value === userId) await writeSetting(tx, name, heirId);
  await writeSetting(tx, `${PREFIX}${userId}`, heirId);
}

export const removeHeir = (tx: Tx, userId: string) => deleteSetting(tx, `${PREFIX}${userId}`);

/** Moves at most `limit` submissions to the heir, and returns their number: none if there is no heir, or none any more. */
export async function moveToHeir(tx: Tx, userId: string, limit: number): Promise<number> {
  const to = await readSetting(tx, `${PREFIX}${userId}`);
  if (to === undefined) return 0;
  // Locked, because an erasure or another merge of the heir could miss what is moved meanwhile.
  if ((await lockUser(tx, to)) !== undefined) return moveSubmissions(tx, { from: userId, to, limit });
  const isReplaced = (await readSetting(tx, `${PREFIX}${userId}`)) !== to;
  return isReplaced ? moveToHeir(tx, userId, limit) : 0;
}
