import type { Role } from '../../../callers/admin-scopes.ts';
import { sql, type Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareExists,
  prepareForRows,
  prepareGet,
  prepareRun,
} from '../../../database/prepare.ts';
import { normalizeName, normalizeOptionalEmail } from '../../../lib/text/normalize.ts';
import { METADATA_MEMBERS } from './metadata.ts';
import { replaceMetadataKeys, writeSearchTexts } from './search-queries.ts';
import { countStateChange, countUser, type UserState } from './user-counters.ts';

/** A user as the API shows it, without the password hash. Times are in epoch milliseconds. */
export interface UserRow {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly level: string | null;
  /** Language tag in canonical form. */
  readonly locale: string | null;
  /** IANA time zone. */
  readonly zoneinfo: string | null;
  readonly state: UserState;
  readonly email_verified_at: number | null;
  readonly last_login_at: number | null;
  /** Of people who administer the service; null for all others. */
  readonly role: Role | null;
  /** Since when each sign-in needs a code of the second factor; null without one. */
  readonly totp_enabled_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
  /** JSON; null for an empty object. */
  readonly user_metadata: string | null;
  readonly app_metadata: string | null;
  /** Names, in lists for the administrator and responses to them. */
  readonly groups?: readonly string[];
}

/** The columns of `UserRow`, with the table, so that they can be joined. */
export const USER_COLUMNS = `users.id, users.name, users.email, users.level, users.locale, users.zoneinfo, users.role, users.state,
  users.email_verified_at, users.last_login_at, users.totp_enabled_at, users.created_at, users.updated_at,
  users.version, users.user_metadata, users.app_metadata`;

/** Returns the form in which the name is searched and sorted. */
export const toNameKey = (name: string | null): string | null => (name === null ? null : normalizeName(name));

export const findUser = prepareGet<UserRow, [id: string]>(`select ${USER_COLUMNS} from users where id = $1`);

/**
 * Returns the user and locks the row until the end of the transaction. An update without a change locks it on both
 * engines, and returns the row as the previous transaction committed it.
 */
export const lockUser = prepareGet<UserRow, [id: string], Tx>(
  `update users set version = version where id = $1 returning ${USER_COLUMNS}`,
);

/** Whether there is an owner, who may still have to claim the account. */
export const hasOwner = prepareExists("select id from users where role = 'owner' limit 1");

export const hasAdministrator = prepareExists(
  "select id from users where role in ('owner', 'support', 'auditor') limit 1",
);

export const hasOtherOwner = prepareExists<[id: string]>(
  "select id from users where role = 'owner' and state = 'active' and id <> $1 limit 1",
);

export type Credentials = Pick<UserRow, 'id' | 'email' | 'state' | 'email_verified_at'> & {
  readonly password_hash: string | null;
};

export const findCredentials = prepareGet<Credentials, [emailKey: string]>(`
  select id, email, state, email_verified_at, password_hash from users where email_key = $1 and owns_email = 1`);

export const findCredentialsById = prepareGet<Credentials, [id: string]>(
  'select id, email, state, email_verified_at, password_hash from users where id = $1',
);

/**
 * Locks an active user with this password hash, null for one without a password; undefined when the user was disabled or
 * the hash replaced meanwhile.
 */
export const lockUserWithHash = prepareGet<UserRow, [id: string, hash: string | null], Tx>(`
  update users set version = version where id = $1 and state = 'active' and password_hash is not distinct from $2
  returning ${USER_COLUMNS}`);

/** Stores the password hash of a user, which no response shows: the version stays. */
export const writePasswordHash = prepareRun<[id: string, hash: string]>(
  'update users set password_hash = $2 where id = $1',
);

/**
 * Records a sign-in and locks the user. Returns undefined when the user was disabled, or the hash replaced that the
 * password was verified against; null without a password. The login is not recorded yet while a code of the second
 * factor is missing; `hasCode`: 1 or 0.
 */
export const recordLogin = prepareGet<
  UserRow,
  { userId: string; now: number; verifiedHash: string | null; newHash: string | null; hasCode: number },
  Tx
>(`
  update users set password_hash = coalesce($newHash, password_hash),
    last_login_at = case when totp_enabled_at is null or $hasCode = 1 then $now else last_login_at end
  where id = $userId and state = 'active'
    and password_hash is not distinct from coalesce($verifiedHash, password_hash)
  returning ${USER_COLUMNS}`);

const prepareUpdate = (more: string) =>
  prepareRun<UserRow & { readonly nameKey: string | null; emailKey: string | null; now: number }>(`
    update users set name = $name, email = $email, email_key = $emailKey, level = $level, state = $state,
      email_verified_at = $email_verified_at, updated_at = $now, name_key = $nameKey, locale = $locale, role = $role,
      zoneinfo = $zoneinfo, ${more} version = version + 1
    where id = $id`);
const update = prepareUpdate('');
const updateWithMetadata = prepareUpdate(
  'user_metadata = $user_metadata, app_metadata = $app_metadata, metadata_generation = null,',
);

/** Writes the changes of a user. @throws UniqueViolation when the email is taken */
export async function writeUser(
  tx: Tx,
  { before, after, now }: { before: UserRow; after: UserRow; now: number },
): Promise<void> {
  const { name, email } = after;
  const written = { ...after, nameKey: toNameKey(name), emailKey: normalizeOptionalEmail(email), now };
  const hasSameMetadata = METADATA_MEMBERS.every((member) => before[member] === after[member]);
  await (hasSameMetadata ? update : updateWithMetadata)(tx, written);
  if (!hasSameMetadata) await replaceMetadataKeys(tx, [after]);
  if (name !== before.name || email !== before.email) writeSearchTexts(tx, [written]);
  countStateChange(tx, before.state, after.state);
}

type DeletedUser = Pick<UserRow, 'state' | 'created_at'> & { readonly owns_email: number };

function countDeleted(tx: Tx, deleted: readonly DeletedUser[]): number {
  for (const { state, owns_email, created_at } of deleted) {
    countUser(tx, { state, ownsEmail: owns_email === 1, createdAt: created_at }, -1);
  }
  return deleted.length;
}

const DELETE = sql<DeletedUser>('delete from users where id = $1 returning state, owns_email, created_at');

/** Deletes the user. Their tokens and activity must be deleted before, because they are counted. */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  countDeleted(tx, await tx.all(DELETE, id));
}

const DISABLE = sql("update users set state = 'disabled', version = version + 1 where id = $1");

/** Disables an active user for the rest of an erasure. */
export async function disableUntilErased(tx: Tx, { id, state }: UserRow): Promise<void> {
  if (state !== 'active') return;
  await tx.run(DISABLE, id);
  countStateChange(tx, state, 'disabled');
}

/**
 * Locks records that anonymous callers created earlier than `before`, and returns their ids. With the literal and the
 * order of the partial index `users_abandoned`.
 */
export const lockAbandonedUsers = prepareAll<{ id: string }, [before: number, limit: number], Tx>(`
  update users set version = version where id in (
    select id from users where state = 'unclaimed' and owns_email = 0 and created_at < $1
    order by created_at limit $2)
  returning id`);

const DELETE_LISTED = prepareForRows<DeletedUser>(
  { user_id: 'text' },
  `delete from users where id in (select user_id from given) returning state, owns_email, created_at`,
);

/** Deletes at most 500 users without tokens and activity; returns their number. */
export async function deleteUsers(tx: Tx, ids: readonly string[]): Promise<number> {
  return countDeleted(tx, await DELETE_LISTED.all(tx, ids));
}
