/** Revokes one token of a user. */
import type { Database, Tx } from '../../../database/database.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockUser } from '../../users/records/queries.ts';
import { deleteToken, type OwnToken } from '../queries.ts';

export interface RevokeTokenDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Revokes a token of this user. The token of another user gets the response of an unknown id.
 * @throws Problem token_not_found
 */
export async function revokeToken(deps: RevokeTokenDeps, id: string, userId: string): Promise<void> {
  if (!isId(id)) throw new Problem('token_not_found');
  await deps.database.transaction((tx) => deleteOne(tx, { id, userId, now: deps.clock() }));
}

/**
 * Revokes a token of a user on behalf of the administrator. Locks the user, as the erasure does first: the event
 * refers to a user who is still there. @throws Problem user_not_found, token_not_found
 */
export async function revokeTokenOfUser(deps: RevokeTokenDeps, id: string, userId: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    if ((await lockUser(tx, userId)) === undefined) throw new Problem('user_not_found');
    if (!isId(id)) throw new Problem('token_not_found');
    await deleteOne(tx, { id, userId, now: deps.clock() });
  });
}

async function deleteOne(tx: Tx, { id, userId, now }: OwnToken): Promise<void> {
  if (!(await deleteToken(tx, id, userId))) throw new Problem('token_not_found');
  await recordEvent(tx, { type: 'token.revoked', userId, details: { token_id: id }, now });
}
