/** Changes the own record: name, language, time zone and metadata at once, the email as soon as the new address is confirmed. */
import type { Tx } from '../../../database/database.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { patchMetadata } from '../../users/records/metadata.ts';
import {
  findUser,
  lockUser,
  lockUserWithHash,
  type UserRow,
  writeUser,
} from '../../users/records/queries.ts';
import { hasEmail, type VersionCheck } from '../../users/records/rules.ts';
import { type Proof, type ProofDeps, requireProof } from '../sign-in/require-proof.ts';
import { requestEmailChange } from './change-email.ts';
import type { profileChangeSchema } from './schemas.ts';

export interface ProfileChange extends Omit<Proof, 'currentPassword'> {
  readonly changes: SchemaValue<typeof profileChangeSchema>;
  /** Called before the password is checked. */
  readonly countLogin: () => Promise<void>;
  /** URL to which the page of the link leads afterwards; null: none. */
  readonly redirectTo: string | null;
  readonly isExpected: VersionCheck;
}

/** The record after the change, and the requested address: null if it is the current one, in any case, or none. */
type ChangedProfile = { readonly user: UserRow; readonly pendingEmail: string | null };

/**
 * Changes without effect keep the version. The result does not depend on whether the new email is taken.
 * @throws Problem validation_failed (current password), precondition_failed, too_many_requests, unauthorized
 */
export async function changeProfile(deps: ProofDeps, change: ProfileChange): Promise<ChangedProfile> {
  const { database } = deps;
  const { user } = change;
  const { email, current_password: currentPassword } = change.changes;
  if (email === undefined || hasEmail(user, email)) {
    return database.transaction(async (tx) => {
      const locked = await lockUser(tx, user.id);
      if (locked?.state !== 'active') throw new Problem('unauthorized');
      return { user: await changeRecord(tx, locked, { ...change, now: deps.clock() }), pendingEmail: null };
    });
  }
  if (currentPassword !== undefined) await change.countLogin();
  return requireProof(deps, { ...change, currentPassword }, (verifiedHash) =>
    database.transaction(async (tx) => {
      const locked = await lockUserWithHash(tx, user.id, verifiedHash);
      return locked === undefined ? null : changeBoth(tx, locked, { ...change, email, now: deps.clock() });
    }),
  );
}

async function changeBoth(
  tx: Tx,
  user: UserRow,
  change: RecordChange & { readonly email: string; readonly redirectTo: string | null },
): Promise<ChangedProfile> {
  const { email, redirectTo, now } = change;
  const after = await changeRecord(tx, user, change);
  // It may have become the current one since the request was received.
  if (hasEmail(user, email)) return { user: after, pendingEmail: null };
  await requestEmailChange(tx, user, { email, redirectTo, now });
  return { user: after, pendingEmail: email };
}

type RecordChange = Pick<ProfileChange, 'changes' | 'isExpected'> & { readonly now: number };

/** Returns the record after the change. @throws Problem precondition_failed, validation_failed */
async function changeRecord(tx: Tx, before: UserRow, { changes, isExpected, now }: RecordChange) {
  if (!isExpected(before.version)) throw new Problem('precondition_failed');
  const { name = before.name, locale = before.locale, zoneinfo = before.zoneinfo } = changes;
  const metadata = patchMetadata(before.user_metadata, changes.user_metadata, 'user_metadata');
  const after = { ...before, name, locale, zoneinfo, user_metadata: metadata };
  const changed = (['name', 'locale', 'zoneinfo', 'user_metadata'] as const)
    .filter((member) => before[member] !== after[member])
    .map((member) => ({ name: member }));
  if (changed.length === 0) return before;
  await writeUser(tx, { before, after, now });
  await recordEvent(tx, { type: 'user.updated', userId: before.id, changes: changed, now });
  return (await findUser(tx, before.id))!;
}
