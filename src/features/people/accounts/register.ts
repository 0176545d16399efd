/** Registers a user, who is signed in at once. */
import type { Tx } from '../../../database/database.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { passGateAsNew } from '../sign-in/gate.ts';
import { toHashingClient } from '../sign-in/hashing-client.ts';
import type { Issue } from '../sign-in/log-in.ts';
import { insertOwner, prepareOwner } from './create-user.ts';
import type { registerSchema } from './schemas.ts';

/**
 * Checks and hashes the password, whether or not the email is taken: the response time must not reveal it. `store` writes
 * the user and the message that verifies the email, calls `issue`, and throws `email_taken`: the database decides, so that
 * exactly one of many concurrent registrations succeeds.
 * @throws Problem validation_failed (password policy), PasswordsUnavailable
 */
export async function prepareRegistration<T>(
  deps: AccountDeps,
  {
    clientIp,
    redirectTo,
    returnTo = null,
    ...registration
  }: Omit<SchemaValue<typeof registerSchema>, 'level'> & {
    redirectTo: string | null;
    returnTo?: string | null;
    clientIp: string;
  },
  issue: Issue<T>,
) {
  const owner = await prepareOwner(deps, registration, toHashingClient(clientIp, null));
  const { id, createdAt } = owner;
  const store = async (tx: Tx) => {
    const user = await insertOwner(tx, owner);
    await recordEvent(tx, { type: 'user.created', userId: id, actor: 'user', now: createdAt });
    const message = { kind: 'verify_email', userId: id, email: owner.email, redirectTo, returnTo } as const;
    await enqueueMail(tx, { ...message, now: createdAt });
    return issue(tx, passGateAsNew(tx, { user, amr: ['pwd'], now: createdAt }));
  };
  return { userId: id, store };
}
