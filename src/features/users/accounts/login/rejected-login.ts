/** Records rejected logins. */
import { DatabaseUnavailable } from '../../../../database/database.ts';
import { Problem } from '../../../../problems/problem.ts';
import type { LoginFailure } from '../../../events/event-types.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { AccountDeps } from '../account-deps.ts';

/** A rejected login. The response does not contain the reason. */
export class RejectedLogin extends Problem {
  readonly reason: LoginFailure;

  constructor(reason: LoginFailure) {
    super('invalid_login');
    this.reason = reason;
  }
}

/** Records why a login has failed, and throws the error. `accountKey`: the normalized email. */
export async function rethrowRecorded(
  { database, clock, limitedLogins, activity }: AccountDeps,
  error: unknown,
  { accountKey, userId }: { readonly accountKey: string; readonly userId: string | null },
): Promise<never> {
  const reason = getFailure(error);
  if (isGuess(reason)) activity.loginFailed();
  const isRecorded = reason !== 'limited' || limitedLogins.shouldRecord(accountKey);
  if (reason === null || !isRecorded) throw error;
  const event = { type: 'login.failed', actor: 'anonymous', outcome: 'failure', reason } as const;
  // The same work for known and unknown emails. A failure of the database must not change the response.
  await database
    .transaction((tx) => recordEvent(tx, { ...event, userId, mayBeErased: true, now: clock() }))
    .catch((failure) => {
      if (!(failure instanceof DatabaseUnavailable)) throw failure;
    });
  throw error;
}

function getFailure(error: unknown): LoginFailure | null {
  if (error instanceof RejectedLogin) return error.reason;
  if (!(error instanceof Problem)) return null;
  if (error.code === 'email_not_verified') return 'unverified';
  if (error.code === 'invalid_totp_code') return 'wrong_code';
  return error.code === 'too_many_requests' ? 'limited' : null;
}

function isGuess(reason: LoginFailure | null): boolean {
  return reason !== null && reason !== 'unverified' && reason !== 'limited';
}
