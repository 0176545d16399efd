/** Queues messages with links for addresses that may have no account. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { enqueueMail } from '../mail/enqueue-mail.ts';

export interface LinkRequestDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** The messages that anybody can request for an address. */
export type RequestedMail = 'reset_password' | 'verify_email';

/**
 * Queues a message with a link for the account of this address, if there is one: it is looked up when the message is
 * sent. The work is the same for all addresses, so that neither the response nor its time reveals accounts.
 */
export async function requestLink(
  { database, clock }: LinkRequestDeps,
  kind: RequestedMail,
  email: string,
): Promise<void> {
  await database.transaction((tx) => enqueueMail(tx, { kind, userId: null, email, now: clock() }));
}
