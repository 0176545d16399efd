/** Queues messages with links for addresses that may have no account. */
import type { Database } from '../../../../database/database.ts';
import type { Clock } from '../../../../lib/time/clock.ts';
import { enqueueMail } from '../../../mail/enqueue-mail.ts';
import { countDropped } from '../../../mail/messages/end-message.ts';
import { countAnonymousMail } from '../../../mail/queries.ts';
import { isDelivered, type MailSettings } from '../../../mail/settings.ts';

export interface LinkRequestDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly mail: MailSettings;
}

/** The messages that any caller can request for an address. */
export type RequestedMail = 'reset_password' | 'verify_email';

export interface RequestedLink {
  readonly kind: RequestedMail;
  readonly email: string;
  /** URL to which the page of the link leads afterwards; null: none. */
  readonly redirectTo?: string | null;
}

/** Requested messages that are stored at most: those of an hour in which the mail server does not respond. */
export const MAX_REQUESTED = 5_000;
/** The same where nothing is sent: few, for the operator who is about to configure mail. */
export const MAX_UNDELIVERED = 100;

/**
 * Queues a message with a link for the account of this address, if there is one: it is looked up when the message is
 * sent. The work is the same for all addresses, so that neither the response nor its time reveals accounts. A request
 * that exceeds the limit is dropped. Transactions of other nodes at the same moment may exceed it by one each.
 */
export async function requestLink(
  { database, clock, mail }: LinkRequestDeps,
  { kind, email, redirectTo = null }: RequestedLink,
): Promise<void> {
  const limit = isDelivered(mail) ? MAX_REQUESTED : MAX_UNDELIVERED;
  await database.transaction(async (tx) => {
    if ((await countAnonymousMail(tx, limit)) >= limit) return countDropped(tx);
    await enqueueMail(tx, { kind, userId: null, email, redirectTo, now: clock() });
  });
}
