/** Passkeys: sign-in, and their administration by their users and administrators. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { ownPasskeys } from './own-routes.ts';
import { passkeyLogin } from './sign-in-routes.ts';
import { userPasskeys } from './user-routes.ts';

export const passkeys: FeaturePlugin<AccountDeps> = async (app, deps) => {
  await app.register(passkeyLogin, deps);
  await app.register(ownPasskeys, deps);
  await app.register(userPasskeys, deps);
};
