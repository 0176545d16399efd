/** Removes the second factor of a user who has lost it. */
import type { DatabaseDeps } from '../../database/database.ts';
import { removeTotp } from '../people/accounts/change-totp.ts';
import { lockUser } from './records/queries.ts';
import { protectRole } from './records/roles.ts';
import { requireUser } from './records/rules.ts';

/** Tokens and sessions stay. @throws Problem user_not_found, insufficient_scope */
export async function removeUserTotp({ database, clock }: DatabaseDeps, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const user = requireUser(await lockUser(tx, id));
    await protectRole(tx, user);
    if (user.totp_enabled_at !== null) await removeTotp(tx, user, clock());
  });
}
