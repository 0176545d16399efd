/** Registers a user and issues the first token. */
import type { Tx } from '../../../../database/database.ts';
import type { SchemaValue } from '../../../../lib/schema/json-schema.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { enqueueMail } from '../../../mail/enqueue-mail.ts';
import { issueToken } from '../../../tokens/issue-token.ts';
import type { AccountDeps } from '../account-deps.ts';
import { toHashingClient } from '../passwords/hashing-client.ts';
import type { registerSchema } from '../schemas.ts';
import { insertOwner, prepareOwner } from './create-user.ts';

/**
 * Checks and hashes the password, which is slow. Returns the function that stores the user with a token, throws
 * `email_taken`, and queues the message that verifies the email: its page leads to `redirectTo`. The password is hashed
 * whether or not the email is taken, so that the response time does not reveal it. Uniqueness is decided by the
 * database alone, so that exactly one of many concurrent registrations succeeds.
 * @throws Problem validation_failed (password policy), PasswordsUnavailable
 */
export async function prepareRegistration(
  deps: AccountDeps,
  {
    clientIp,
    redirectTo,
    ...registration
  }: Omit<SchemaValue<typeof registerSchema>, 'level'> & { redirectTo: string | null; clientIp: string },
) {
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
