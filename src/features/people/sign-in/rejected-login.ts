/** Records rejected logins. */
import { type DatabaseDeps, ignoreUnavailable } from '../../../database/database.ts';
import { Problem, type ProblemCode, type ProblemOptions } from '../../../problems/problem.ts';
import type { LoginFailure } from '../../events/event-types.ts';
import { type NewEvent, recordEvent } from '../../events/record-event.ts';
import type { AccountDeps } from './account-deps.ts';

/** A rejected login. The response does not contain the reason. */
export class RejectedLogin extends Problem {
  readonly reason: LoginFailure;

  constructor(reason: LoginFailure, code: ProblemCode = 'invalid_login', options: ProblemOptions = {}) {
    super(code, options);
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
  if (reason !== null && reason !== 'unverified' && reason !== 'limited') activity.loginFailed();
  const isRecorded = reason !== 'limited' || limitedLogins.shouldRecord(accountKey);
  if (reason === null || !isRecorded) throw error;
  // The same work for known and unknown emails.
  const { reason: detail } = error instanceof Problem ? error.options : {};
  const details = detail === undefined ? {} : { details: { detail } };
  await recordFailedLogin({ database, clock }, { reason, userId, mayBeErased: true, ...details });
  throw error;
}

/** A failure of the database must not change the response. */
export async function recordFailedLogin(
  { database, clock }: DatabaseDeps,
  failure: Pick<NewEvent, 'reason' | 'userId' | 'mayBeErased' | 'details'>,
): Promise<void> {
  const event = { type: 'login.failed', actor: 'anonymous', outcome: 'failure', ...failure } as const;
  await database.transaction((tx) => recordEvent(tx, { ...event, now: clock() })).catch(ignoreUnavailable);
}

function getFailure(error: unknown): LoginFailure | null {
  if (error instanceof RejectedLogin) return error.reason;
  if (!(error instanceof Problem)) return null;
  if (error.code === 'email_not_verified') return 'unverified';
  if (error.code === 'invalid_totp_code') return 'wrong_code';
  if (error.code === 'invalid_email_code') return 'wrong_email_code';
  return error.code === 'too_many_requests' ? 'limited' : null;
}
