/** Signs a person in, or up, with a code that was mailed. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { insertUser } from '../../users/records/new-user-queries.ts';
import { findCredentials, lockUser, type UserRow } from '../../users/records/queries.ts';
import { hasEmail } from '../../users/records/rules.ts';
import type { AccountDeps } from './account-deps.ts';
import { claimAccount, endOtherWaysIn } from './claim-account.ts';
import { passGate, passGateAsNew } from './gate.ts';
import type { Issue } from './log-in.ts';
import { findSignInCode, type SignInCodeRow, signInCodes, takeSignInCode } from './mailed-code-queries.ts';
import { checkCode } from './mailed-codes.ts';
import { rethrowRecorded } from './rejected-login.ts';

interface Answer<T> {
  readonly challenge: string;
  /** As it was typed. */
  readonly code: string;
  readonly clientIp: string;
  /** The language of a person who signs up. */
  readonly locale?: string | null;
  /** Whether the browser proves that it has created the account; by default, nothing does. */
  readonly hasCreated?: (userId: string) => boolean;
  readonly issue: Issue<T>;
}

/**
 * Returns what `issue` returns. The code proves the email, which is verified in the same transaction, but no second factor.
 * It can be used once; while the second factor is missing, within its five tries. Unless the person is known to have created
 * the account, the first proof of its email ends all other ways in: another person may have registered it.
 * @throws Problem invalid_email_code, the same for wrong, expired and used codes, and for addresses without an account;
 *   second_factor_required with a challenge
 */
export async function signInByCode<T>(deps: AccountDeps, answer: Answer<T>): Promise<T> {
  const { database, clock, loginGuard, activity } = deps;
  const hash = hashToken(answer.challenge);
  const waiting = await findSignInCode(database, hash, clock());
  if (waiting === undefined) throw new Problem('invalid_email_code');
  const { email_key: accountKey } = waiting;
  try {
    const codeId = await checkCode(deps, { codes: signInCodes, hash, code: answer.code });
    if (codeId === null) throw new Problem('invalid_email_code');
    const passed = await database.transaction((tx) => enter(deps, tx, { waiting, codeId, answer }));
    if ('challenge' in passed)
      throw new Problem('second_factor_required', { members: { challenge: passed.challenge } });
    activity.userActive(passed.userId);
    await loginGuard.resetFailures({ accountKey, clientIp: answer.clientIp });
    return passed.issued;
  } catch (error) {
    const userId = (await findCredentials(database, accountKey))?.id ?? null;
    return rethrowRecorded(deps, error, { accountKey, userId });
  }
}

/** @throws Problem invalid_email_code if the code was used or replaced meanwhile, or there is no account to sign in to */
async function enter<T>(
  deps: AccountDeps,
  tx: Tx,
  { waiting, codeId, answer }: { readonly waiting: SignInCodeRow; codeId: string; answer: Answer<T> },
) {
  const { hash } = waiting;
  const user = await lockOwner(tx, waiting);
  const passed = await (user === undefined
    ? signUp(deps, tx, { waiting, answer })
    : pass(deps, tx, { user, answer }));
  if (passed === null) throw new Problem('invalid_email_code');
  if ('challenge' in passed) return passed;
  if (!(await takeSignInCode(tx, { hash, codeId }))) throw new Problem('invalid_email_code');
  return { issued: await answer.issue(tx, passed.admitted), userId: passed.admitted.user.id };
}

interface Entering {
  readonly waiting: SignInCodeRow;
  readonly answer: Pick<Answer<unknown>, 'clientIp' | 'locale' | 'hasCreated'>;
}

async function lockOwner(tx: Tx, { email_key, email }: SignInCodeRow): Promise<UserRow | undefined> {
  const found = await findCredentials(tx, email_key);
  const user = found && (await lockUser(tx, found.id));
  return user !== undefined && hasEmail(user, email) ? user : undefined;
}

/** Returns null for an account that cannot be used. An unclaimed one, which the administrator has created, is claimed. */
async function pass(
  deps: AccountDeps,
  tx: Tx,
  { user, answer }: Pick<Entering, 'answer'> & { readonly user: UserRow },
) {
  const { id: userId, state, email_verified_at: verifiedAt } = user;
  if (state === 'disabled') return null;
  const now = deps.clock();
  if (state === 'active' && verifiedAt === null && !answer.hasCreated?.(userId))
    await endOtherWaysIn(tx, user, now);
  if (state !== 'active' || verifiedAt === null) await claimAccount(tx, user, now);
  const network = deps.loginGuard.hashNetwork(answer.clientIp);
  return passGate(deps, tx, { userId, amr: ['email'], network });
}

/** Creates an account without a password, whose email is verified. Returns null for a sign-in, and if it is taken or nobody can register. */
async function signUp({ clock, settings }: AccountDeps, tx: Tx, { waiting, answer }: Entering) {
  const { name, email, email_key: emailKey } = waiting;
  if (name === null || settings.current.registration === 'closed') return null;
  const [userId, now] = [newId(), clock()];
  const { locale = null } = answer;
  const owner = {
    id: userId,
    name,
    email,
    emailKey,
    ownsEmail: true,
    passwordHash: null,
    level: null,
  } as const;
  const user = await insertUser(tx, {
    ...{ ...owner, locale, state: 'active', emailVerifiedAt: now, createdAt: now },
  });
  if (user === undefined) return null;
  await recordEvent(tx, { type: 'user.created', userId, actor: 'user', now });
  return { admitted: passGateAsNew(tx, { user, amr: ['email'], now }) };
}
