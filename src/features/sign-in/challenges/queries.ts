import { prepareRun } from '../../../database/prepare.ts';

export const insertChallenge = prepareRun<{ hash: string; userId: string; amr: string; expiresAt: number }>(`
  insert into sign_in_challenges (hash, user_id, amr, tries, expires_at)
  values ($hash, $userId, $amr, 0, $expiresAt)`);
