/** What the housekeeping deletes of accounts, tokens and sign-ins. */
import type { Tx } from '../../database/database.ts';
import { type HousekeepingStep, olderThan } from '../../database/housekeeping-step.ts';
import { DAY } from '../../lib/time.ts';
import { deleteExpiredPasskeyChallenges } from './passkeys/queries.ts';
import { deleteAbandonedUsers, listPendingErasures } from './personal-data/delete-rows.ts';
import { continueErasure } from './personal-data/erase-user.ts';
import { deleteExpiredSignInCodes } from './sign-in/mailed-code-queries.ts';
import {
  deleteEndedSessions,
  deleteExpiredChallenges,
  deleteExpiredShown,
  deleteOldNetworks,
} from './sign-in/queries.ts';
import { deleteExpiredTokens, deleteTokenCounters, deleteTokenNetworks } from './tokens/queries.ts';
import { deleteRemovedKeys } from './tokens/signing-keys/queries.ts';

const TOKEN_NETWORKS_DAYS = 30;
const KNOWN_NETWORKS_DAYS = 180;

/** `unclaimedUsersDays`: age at which records that anonymous callers created are deleted. */
export const listPeopleSteps = (unclaimedUsersDays: number): readonly HousekeepingStep[] => [
  ['expired tokens', deleteExpiredTokens],
  ['networks of tokens', olderThan(TOKEN_NETWORKS_DAYS, deleteTokenNetworks)],
  ['counters of expired tokens', deleteTokenCounters],
  ['known networks', olderThan(KNOWN_NETWORKS_DAYS, deleteOldNetworks)],
  ['sign-in sessions', deleteEndedSessions],
  ['secrets that were shown', deleteExpiredShown],
  ['expired sign-ins', deleteExpiredChallenges],
  ['expired codes to sign in', deleteExpiredSignInCodes],
  ['expired ceremonies of passkeys', deleteExpiredPasskeyChallenges],
  ['signing keys', deleteRemovedKeys],
  ['interrupted erasures', continueFirstErasure],
  [
    'abandoned users',
    (tx, now, limit) => deleteAbandonedUsers(tx, { before: now - unclaimedUsersDays * DAY, now }, limit),
  ],
];

/** Deletes the next rows of one user whose erasure was interrupted. */
async function continueFirstErasure(tx: Tx, now: number, limit: number): Promise<number> {
  const [id] = await listPendingErasures(tx);
  if (id === undefined) return 0;
  await continueErasure(tx, id, now);
  return limit;
}
