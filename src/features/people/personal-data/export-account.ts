/** Collects everything that is stored about a user. */
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { DAY, formatTimestamp } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { ownEventView } from '../../events/event-view.ts';
import { readLatestOfSubject } from '../../events/queries.ts';
import { formatUserSubject } from '../../events/record-event.ts';
import { listGroupsOfUser } from '../../users/records/group-queries.ts';
import { findCredentialsById, lockUser, type UserRow } from '../../users/records/queries.ts';
import { userView } from '../../users/records/user-responses.ts';
import { listLiveTokens } from '../tokens/queries.ts';
import { tokenView } from '../tokens/token-responses.ts';
import { exportRowsOfUser, listActiveDays } from './queries.ts';

/** Maximum length of each list. Those of most users are far shorter. */
export const MAX_EXPORTED = 1_000;

/**
 * Returns the document. The user is locked while it is read, so that its parts are of the same moment: every change of
 * an account locks the user first. @throws Problem unauthorized (deleted meanwhile)
 */
export function exportAccount({ database, clock }: DatabaseDeps, userId: string) {
  return database.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === undefined) throw new Problem('unauthorized');
    return { exported_at: formatTimestamp(clock()), ...(await readAccount(tx, user)) };
  });
}

async function readAccount(tx: Tx, user: UserRow) {
  const { id: userId } = user;
  const limit = MAX_EXPORTED;
  const credentials = await findCredentialsById(tx, userId);
  const groups = await listGroupsOfUser(tx, userId);
  const owner = { id: userId, emailKey: normalizeEmail(user.email ?? '') };
  return {
    user: { ...userView({ ...user, groups }), has_password: credentials?.password_hash !== null },
    tokens: (await listLiveTokens(tx, userId, 0)).map(tokenView),
    events: (await readLatestOfSubject(tx, formatUserSubject(userId), limit)).map(ownEventView),
    active_days: (await listActiveDays(tx, userId, limit)).map(({ day }) =>
      formatTimestamp(day * DAY).slice(0, 10),
    ),
    ...(await exportRowsOfUser(tx, owner, limit)),
  };
}
