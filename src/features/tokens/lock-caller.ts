import type { UserCaller } from '../../callers/callers.ts';
import type { Tx } from '../../database/database.ts';
import { credentialRejected } from '../../problems/challenges.ts';
import { lockUser } from '../users/records/queries.ts';
import { findLiveToken } from './queries.ts';

/**
 * Locks the user until the end of the transaction, and checks that the token of the request is still valid. New
 * passwords, disabling and revocations of all tokens lock the user too: either they come first and the request is
 * rejected, or they also revoke what the request creates.
 * @throws Problem unauthorized
 */
export async function lockCaller(tx: Tx, { userId, tokenHash }: UserCaller, now: number): Promise<void> {
  await lockUser(tx, userId);
  if ((await findLiveToken(tx, tokenHash, now)) === undefined) throw credentialRejected('api');
}
