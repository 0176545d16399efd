/** Creates user records: unclaimed ones for anonymous callers, accounts for the administrator. */
import { getActionContext } from '../../../callers/action-context.ts';
import type { Tx } from '../../../database/database.ts';
import type { QueueClient } from '../../../lib/queues/queue-lanes.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { normalizeEmail, normalizeOptionalEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import { alreadyTaken, validationFailed } from '../../../problems/validation-failed.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { isDelivered } from '../../mail/settings.ts';
import { patchMetadata } from '../../users/records/metadata.ts';
import { insertUser, type NewUser } from '../../users/records/new-user-queries.ts';
import { hasOwner, type UserRow } from '../../users/records/queries.ts';
import { changeRole } from '../../users/records/roles.ts';
import type { newUserSchema } from '../../users/records/schemas.ts';
import { countUnclaimedUsers, type UserState } from '../../users/records/user-counters.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';

/** Until housekeeping has deleted old records, which it does every hour. */
const RETRY_FULL_AFTER_SECONDS = 3_600;

/**
 * Stores an unclaimed record and returns its id. The record cannot log in and does not reserve its email, so that
 * no caller can block the email of another person or learn from the response whether it is registered. Transactions
 * that run at the same moment on a shared database may exceed the maximum by one each.
 * @throws Problem unclaimed_users_full
 */
export async function createUnclaimedUser(
  { clock, settings }: AccountDeps,
  tx: Tx,
  { name = null, email = null }: { readonly name?: string | null; readonly email?: string | null },
): Promise<string> {
  const { maxUnclaimedUsers } = settings.current;
  if (maxUnclaimedUsers !== null && (await countUnclaimedUsers(tx)) >= maxUnclaimedUsers) {
    throw new Problem('unclaimed_users_full', { retryAfterSeconds: RETRY_FULL_AFTER_SECONDS });
  }
  const id = newId();
  const createdAt = clock();
  await insertUser(tx, {
    id,
    name,
    email,
    emailKey: normalizeOptionalEmail(email),
    ownsEmail: false,
    passwordHash: null,
    level: null,
    state: 'unclaimed',
    createdAt,
  });
  const mayBeErased = getActionContext().actor.type === 'user';
  await recordEvent(tx, { type: 'user.created', userId: id, mayBeErased, now: createdAt });
  return id;
}

/** Nobody could send the first owner a link to set it. */
const PASSWORD_REQUIRED = 'The password field is required while no mail server is connected.';

export type NewUserInput = SchemaValue<typeof newUserSchema>;

/**
 * Returns a record to be stored that owns its email: active with a password, unclaimed without one. Checks and hashes
 * the password, which is slow and belongs outside of transactions. `client` waits for the hash.
 * @throws Problem validation_failed (password policy, metadata, no password of a first owner who gets no message),
 *   PasswordsUnavailable
 */
export async function prepareOwner(
  { clock, database, mail, passwords, passwordPolicy }: AccountDeps,
  given: NewUserInput,
  client: QueueClient,
) {
  const { name, email, password, level = null, locale = null, zoneinfo = null, role = null } = given;
  const userMetadata = patchMetadata(null, given.user_metadata, 'user_metadata');
  const appMetadata = patchMetadata(null, given.app_metadata, 'app_metadata');
  if (role === 'owner' && password === undefined && !isDelivered(mail) && !(await hasOwner(database)))
    throw validationFailed({ password: [PASSWORD_REQUIRED] });
  if (password !== undefined) await passwordPolicy.check(password, { name, email });
  const passwordHash = password === undefined ? null : await passwords.hash(password, client);
  const createdAt = clock();
  const state: UserState = passwordHash === null ? 'unclaimed' : 'active';
  return {
    id: newId(),
    name,
    email,
    emailKey: normalizeEmail(email),
    ownsEmail: true,
    passwordHash,
    level,
    locale,
    zoneinfo,
    role,
    state,
    createdAt,
    userMetadata,
    appMetadata,
  };
}

/** Stores the record and returns it; the database decides whether the email is free. @throws Problem email_taken */
export async function insertOwner(tx: Tx, owner: NewUser): Promise<UserRow> {
  const stored = await insertUser(tx, owner);
  if (stored === undefined) throw emailTaken();
  return stored;
}

/**
 * Stores an account for the administrator, and returns its record. One without a password gets a message with a link to claim it.
 * @throws Problem email_taken, insufficient_scope for a role that the caller cannot give
 */
export async function insertAccount(
  tx: Tx,
  owner: Awaited<ReturnType<typeof prepareOwner>>,
): Promise<UserRow> {
  const { id: userId, email, role, state, passwordHash, createdAt: now } = owner;
  await changeRole(tx, { id: userId, role: null, state }, { role, state });
  const stored = await insertOwner(tx, owner);
  const changes = role === null ? [] : [{ name: 'role', from: null, to: role }];
  await recordEvent(tx, { type: 'user.created', userId, ...(role !== null && { changes }), now });
  if (passwordHash === null)
    await enqueueMail(tx, { kind: 'claim_account', userId, email, isBulk: true, now });
  return stored;
}

export const emailTaken = () => alreadyTaken('email_taken', 'email', { isOutcome: true });
