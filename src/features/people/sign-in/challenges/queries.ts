import { prepareChange, prepareGet, prepareRun } from '../../../../database/prepare.ts';

export const insertChallenge = prepareRun<{ hash: string; userId: string; amr: string; expiresAt: number }>(`
  insert into sign_in_challenges (hash, user_id, amr, tries, expires_at)
  values ($hash, $userId, $amr, 0, $expiresAt)`);

/** `amr`: separated by spaces. */
export const findChallenge = prepareGet<{ user_id: string; amr: string }, [hash: string, now: number]>(
  'select user_id, amr from sign_in_challenges where hash = $1 and expires_at > $2',
);

/** Counts a try. Returns whether there was one left. */
export const useTry = prepareChange<[hash: string, maxTries: number]>(
  'update sign_in_challenges set tries = tries + 1 where hash = $1 and tries < $2',
);

/** Deletes a challenge. Returns whether it was still there. */
export const deleteChallenge = prepareChange<[hash: string]>(
  'delete from sign_in_challenges where hash = $1',
);

/** Deletes challenges that have expired at `now`; returns their number. */
export const deleteExpiredChallenges = prepareRun<[now: number, limit: number]>(`
  delete from sign_in_challenges where hash in (
    select hash from sign_in_challenges where expires_at <= $1 order by expires_at limit $2)`);
