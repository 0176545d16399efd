/** Queues messages with links for addresses that may have no account, and checks where the links may lead. */
import { validationFailed } from '../../../problems/validation-failed.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { countDropped } from '../../mail/messages/end-message.ts';
import { countAnonymousMail } from '../../mail/queries.ts';
import { isDelivered } from '../../mail/settings.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';

/** Returns the URL in its normal form, null for none. @throws Problem validation_failed */
export function checkRedirect({ allowRedirect }: AccountDeps, redirectTo: string | undefined): string | null {
  if (redirectTo === undefined) return null;
  const allowed = allowRedirect(redirectTo);
  if (allowed !== null) return allowed;
  throw validationFailed({
    redirect_to: ['The redirect_to field must be a URL that APP_URL or REDIRECT_URLS allows.'],
  });
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
  { database, clock, mail }: AccountDeps,
  link: {
    kind: 'reset_password' | 'verify_email';
    email: string;
    redirectTo: string | null;
    returnTo?: string | null;
  },
): Promise<void> {
  const limit = isDelivered(mail) ? MAX_REQUESTED : MAX_UNDELIVERED;
  await database.transaction(async (tx) => {
    if ((await countAnonymousMail(tx, limit)) >= limit) return countDropped(tx);
    await enqueueMail(tx, { ...link, userId: null, now: clock() });
  });
}
