/** Challenges: proof of everything but the second factor, which is valid for a short time. */
import type { Tx } from '../../../../database/database.ts';
import { hashToken, newRandomToken } from '../../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../../lib/time.ts';
import { insertChallenge } from './queries.ts';

const LIFETIME_MS = 5 * MINUTE;

/** Stores a challenge and returns it. Only its hash is stored. */
export async function createChallenge(
  tx: Tx,
  { userId, amr, now }: { readonly userId: string; readonly amr: readonly string[]; readonly now: number },
): Promise<string> {
  const challenge = newRandomToken();
  const row = { hash: hashToken(challenge), userId, amr: amr.join(' '), expiresAt: now + LIFETIME_MS };
  await insertChallenge(tx, row);
  return challenge;
}
