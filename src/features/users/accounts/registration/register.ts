/** Registers a user and issues the first token. */
import type { Tx } from '../../../../database/database.ts';
import type { SchemaValue } from '../../../../lib/schema/json-schema.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { enqueueMail } from '../../../mail/enqueue-mail.ts';
import { passGateAsNew } from '../../../sign-in/gate.ts';
import { issueToken } from '../../../tokens/issue-token.ts';
import type { AccountDeps } from '../account-deps.ts';
import { toHashingClient } from '../passwords/hashing-client.ts';
import type { registerSchema } from '../schemas.ts';
import { insertOwner, prepareOwner } from './create-user.ts';

/**
 * Checks and hashes the password, whether or not the email is taken: the response time must not reveal it. `store` writes
 * the user with a token and the message that verifies the email, and throws `email_taken`: the database decides, so that
 * exactly one of many concurrent registrations succeeds.
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
    const person = { userId: id, amr: ['pwd'], now: createdAt } as const;
    const { authenticatedAt: now } = await passGateAsNew(tx, person);
    return issueToken(tx, { userId: id, now, lifetimeSeconds });
  };
  return { userId: id, store };
}
