/** Registers a user and issues the first token. */

import type { Database, Tx } from '../../../database/database.ts';
import type { ActivityRecorder } from '../../activity/recorder.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { type IssuedToken, issueToken } from '../../tokens/issue-token.ts';
import type { LimitedLogins } from '../login/limited-logins.ts';
import type { LoginGuard } from '../login/login-guard.ts';
import { hashingClient } from '../passwords/hashing-client.ts';
import { type CreateUserDeps, insertOwner, prepareOwner } from './create-user.ts';

export interface AccountDeps extends CreateUserDeps {
  readonly database: Database;
  readonly activity: ActivityRecorder;
  readonly tokenLifetimeSeconds: number;
  readonly loginGuard: LoginGuard;
  readonly limitedLogins: LimitedLogins;
  readonly requireVerifiedEmail: boolean;
}

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface RegistrationRequest extends Registration {
  readonly clientIp: string;
}

/** A registration whose slow part is done. */
export interface PreparedRegistration {
  readonly userId: string;
  /** Stores the user with a token, and queues the message that verifies the email. @throws Problem email_taken */
  readonly store: (tx: Tx) => Promise<IssuedToken>;
}

/**
 * Checks and hashes the password, which is slow, and returns the rest for one transaction. The password is hashed
 * whether or not the email is taken, so that the response time does not reveal it. Uniqueness is decided by the
 * database alone, so that exactly one of many concurrent registrations succeeds.
 * @throws Problem validation_failed (password policy), PasswordsUnavailable
 */
export async function prepareRegistration(
  deps: AccountDeps,
  { name, email, password, clientIp }: RegistrationRequest,
): Promise<PreparedRegistration> {
  const owner = await prepareOwner(deps, { name, email, password }, hashingClient(clientIp, null));
  const { id, createdAt } = owner;
  const store = async (tx: Tx) => {
    await insertOwner(tx, owner);
    await recordEvent(tx, { type: 'user.created', userId: id, actor: 'user', now: createdAt });
    await enqueueMail(tx, { kind: 'verify_email', userId: id, email: owner.email, now: createdAt });
    return issueToken(tx, { userId: id, now: createdAt, lifetimeSeconds: deps.tokenLifetimeSeconds });
  };
  return { userId: id, store };
}
