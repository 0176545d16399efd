/** All changes and views of users for the administrator. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import type { SessionRouteDeps } from '../people/sign-in/session-routes.ts';
import type { TokenRouteDeps } from '../people/tokens/routes.ts';
import { userBatches } from './batch-users/routes.ts';
import { userEvents } from './event-routes.ts';
import { userExport } from './export-routes.ts';
import { userMerges } from './merge-routes.ts';
import { userSessions } from './session-routes.ts';
import { userTokens } from './token-routes.ts';
import { userAccess, userChanges } from './user-routes.ts';

export const userAdministration: FeaturePlugin<
  AccountDeps & TokenRouteDeps & SessionRouteDeps & Parameters<typeof userEvents>[1]
> = async (app, deps) => {
  await app.register(userChanges, deps);
  await app.register(userBatches, deps);
  await app.register(userExport, deps);
  await app.register(userTokens, deps);
  await app.register(userSessions, deps);
  await app.register(userEvents, deps);
  await app.register(userAccess, deps);
  await app.register(userMerges, deps);
};
