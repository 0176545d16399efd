/** Checks where the page of a link may lead afterwards. */
import { validationFailed } from '../../../problems/validation-failed.ts';
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
