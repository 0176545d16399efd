/** Statements about the rows that one user takes over from another. */
import { prepareRun, prepareValue } from '../../../database/prepare.ts';

export const countIdentities = prepareValue<number, [userId: string]>(
  'select count(*) as identities from identities where user_id = $1',
);

type Move = [from: string, to: string];

export const moveIdentities = prepareRun<Move>('update identities set user_id = $2 where user_id = $1');
export const moveSessions = prepareRun<Move>('update sign_in_sessions set user_id = $2 where user_id = $1');
export const moveTokens = prepareRun<Move>('update tokens set user_id = $2 where user_id = $1');
