/** Rules of user records: pure functions. */
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { normalizeOptionalEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { patchMetadata } from './metadata.ts';
import type { UserRow } from './queries.ts';
import type { updateUserSchema } from './schemas.ts';

export type UserChanges = SchemaValue<typeof updateUserSchema>;

/** Whether a change may be based on this version of a record. */
export type VersionCheck = (version: number) => boolean;

/** Requires that the caller has seen the current version. @throws Problem precondition_failed, version_conflict */
export function checkVersion(
  user: Pick<UserRow, 'version'>,
  isExpected: VersionCheck,
  expectedVersion?: number,
): void {
  if (!isExpected(user.version)) throw new Problem('precondition_failed');
  if (expectedVersion !== undefined && expectedVersion !== user.version) {
    throw new Problem('version_conflict');
  }
}

/** Whether the changes could let somebody else use the account, or the console: people need a recent sign-in for them. */
export function giveAccess({ role, email }: { readonly role?: unknown; readonly email?: unknown }): boolean {
  return role !== undefined || email !== undefined;
}

/** Returns the record after the changes. @throws Problem validation_failed when the record cannot have that state */
export function applyChanges(user: UserRow, changes: UserChanges): UserRow {
  const { version: _, ...members } = changes;
  const after = { ...user, ...members };
  if (after.state !== user.state && user.state === 'unclaimed') {
    // A record without a password has no account to activate or to disable.
    throw validationFailed({ state: ['The selected state is invalid.'] });
  }
  return {
    ...after,
    email_verified_at: hasEmail(user, after.email) ? user.email_verified_at : null,
    user_metadata: patchMetadata(user.user_metadata, changes.user_metadata, 'user_metadata'),
    app_metadata: patchMetadata(user.app_metadata, changes.app_metadata, 'app_metadata'),
  };
}

const CHANGEABLE = [
  ...(['name', 'email', 'level', 'locale', 'zoneinfo', 'role', 'state'] as const),
  ...(['user_metadata', 'app_metadata'] as const),
] as const;

export function isUnchanged(before: UserRow, after: UserRow): boolean {
  return CHANGEABLE.every((name) => before[name] === after[name]);
}

/** Whether the user has this address, in any case of its letters; null for none. */
export function hasEmail(user: UserRow, email: string | null): boolean {
  return normalizeOptionalEmail(user.email) === normalizeOptionalEmail(email);
}

/** @throws Problem user_not_found */
export function requireUser(user: UserRow | undefined): UserRow {
  if (user === undefined) throw new Problem('user_not_found');
  return user;
}

/** @throws Problem user_not_found for a text that cannot be an id, which saves a query */
export function parseUserId(id: string): string {
  if (!isId(id)) throw new Problem('user_not_found');
  return id;
}
