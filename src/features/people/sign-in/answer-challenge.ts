/** Completes a sign-in that waits for a code of the second factor. */
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import { findUser } from '../../users/records/queries.ts';
import type { AccountDeps } from './account-deps.ts';
import { type AuthenticationMethod, passGate } from './gate.ts';
import type { Issue } from './log-in.ts';
import { deleteChallenge, findChallenge, findFirstLogin, useTry } from './queries.ts';
import { rethrowRecorded } from './rejected-login.ts';

const MAX_TRIES = 5;

interface Answer {
  readonly challenge: string;
  /** As it was typed. */
  readonly code: string;
  readonly clientIp: string;
}

/**
 * Returns what `issue` returns. A wrong code counts as a failed login.
 * @throws Problem challenge_expired, invalid_totp_code, too_many_requests, email_not_verified
 */
export async function answerChallenge<T>(deps: AccountDeps, answer: Answer, issue: Issue<T>): Promise<T> {
  const { database, clock, loginGuard } = deps;
  const { clientIp } = answer;
  const hash = hashToken(answer.challenge);
  const found = await findChallenge(database, hash, clock());
  const user = found && (await findUser(database, found.user_id));
  if (found === undefined || user === undefined) throw new Problem('challenge_expired');
  const { id: userId } = user;
  const accountKey = normalizeEmail(user.email ?? '');
  const attempt = {
    ...{ accountKey, clientIp },
    findFirstLogin: (network: string) => findFirstLogin(database, userId, network),
  };
  const amr = found.amr.split(' ') as AuthenticationMethod[];
  const answered = loginGuard.run(attempt, async ({ network }) => {
    // Counted before the code is checked, so that answers at the same time do not get more tries.
    if (!(await database.transaction((tx) => useTry(tx, hash, MAX_TRIES))))
      throw new Problem('challenge_expired');
    const person = { userId, amr, network, code: answer.code };
    return admit(deps, { hash, person, issue });
  });
  const issued = await answered.catch((error) => rethrowRecorded(deps, error, { accountKey, userId }));
  deps.activity.userActive(userId);
  return issued;
}

function admit<T>(
  deps: AccountDeps,
  { hash, person, issue }: { hash: string; person: Parameters<typeof passGate>[2]; issue: Issue<T> },
): Promise<T> {
  return deps.database.transaction(async (tx) => {
    const passed = await passGate(deps, tx, person);
    // The account was disabled, its password replaced, or the challenge answered meanwhile.
    if (passed === null || 'challenge' in passed || !(await deleteChallenge(tx, hash)))
      throw new Problem('challenge_expired');
    return issue(tx, passed.admitted);
  });
}
