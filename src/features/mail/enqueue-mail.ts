/** Queues messages in the transaction of their cause, so that neither exists without the other. */
import type { Tx } from '../../database/database.ts';
import { DAY, HOUR } from '../../lib/clock.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { newId } from '../../lib/ids.ts';
import { insertMail, type MailKind } from './queries.ts';

/** A message that could not be sent for so long has lost its use: a person who has forgotten a password asks again. */
const LIFETIME_MS = 3 * DAY;
const RESET_LIFETIME_MS = HOUR;

export interface NewMail {
  readonly kind: MailKind;
  /** Null for an address that may have no account: whether it has one is looked up when the message is sent. */
  readonly userId: string | null;
  readonly email: string;
  /**
   * Values that the template shows besides the user's record: `new_email` in a notice about a change of the address.
   * Must not contain a secret.
   */
  readonly data?: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly now: number;
}

export async function enqueueMail(tx: Tx, { kind, userId, email, data = {}, now }: NewMail): Promise<void> {
  await insertMail(tx, {
    id: newId(),
    kind,
    user_id: userId,
    email,
    emailKey: normalizeEmail(email),
    data: JSON.stringify(data),
    created_at: now,
    expiresAt: now + (kind === 'reset_password' ? RESET_LIFETIME_MS : LIFETIME_MS),
  });
}
