/** Registers a user and issues the first token. */
import type { Tx } from '../../../../database/database.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { enqueueMail } from '../../../mail/enqueue-mail.ts';
import { type IssuedToken, issueToken } from '../../../tokens/issue-token.ts';
import type { Metadata } from '../../records/metadata.ts';
import type { AccountDeps } from '../account-deps.ts';
import { toHashingClient } from '../passwords/hashing-client.ts';
import { insertOwner, prepareOwner } from './create-user.ts';

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly locale?: string | null;
  readonly user_metadata?: Metadata | null;
}

export interface RegistrationRequest extends Registration {
  /** URL to which the page of the link leads that verifies the email; null: none. */
  readonly redirectTo: string | null;
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
  { clientIp, redirectTo, ...registration }: RegistrationRequest,
): Promise<PreparedRegistration> {
  const owner = await prepareOwner(deps, registration, toHashingClient(clientIp, null));
  const { id, createdAt } = owner;
  const store = async (tx: Tx) => {
    await insertOwner(tx, owner);
    await recordEvent(tx, { type: 'user.created', userId: id, actor: 'user', now: createdAt });
    const message = { kind: 'verify_email', userId: id, email: owner.email, redirectTo } as const;
    await enqueueMail(tx, { ...message, now: createdAt });
    const { tokenLifetimeSeconds: lifetimeSeconds } = deps.settings.current;
    return issueToken(tx, { userId: id, now: createdAt, lifetimeSeconds });
  };
  return { userId: id, store };
}
