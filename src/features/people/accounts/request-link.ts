/** Queues messages with links for addresses that may have no account, and checks where the links may lead. */
import { validationFailed } from '../../../problems/validation-failed.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { admitRequested } from '../sign-in/mailed-codes.ts';

/** Returns the URL in its normal form, null for none. @throws Problem validation_failed */
export function checkRedirect({ allowRedirect }: AccountDeps, redirectTo: string | undefined): string | null {
  if (redirectTo === undefined) return null;
  const allowed = allowRedirect(redirectTo);
  if (allowed !== null) return allowed;
  throw validationFailed({
    redirect_to: ['The redirect_to field must be a URL that APP_URL or REDIRECT_URLS allows.'],
  });
}

/**
 * Queues a message with a link for the account of this address, if there is one: it is looked up when the message is
 * sent. The work is the same for all addresses, so that neither the response nor its time reveals accounts. A request
 * that exceeds the limit is dropped. `isForm`: whether a form of a page requests it, which may be sent twice.
 */
export async function requestLink(
  deps: AccountDeps,
  link: {
    kind: 'reset_password' | 'verify_email';
    email: string;
    redirectTo: string | null;
    returnTo?: string | null;
    isForm?: boolean;
  },
): Promise<void> {
  const { isForm, ...mail } = link;
  const data = isForm ? { is_form: 'true' } : {};
  await deps.database.transaction(async (tx) => {
    if (await admitRequested(deps, tx))
      await enqueueMail(tx, { ...mail, data, userId: null, now: deps.clock() });
  });
}
