/** Imports users of another service. */
import type { DatabaseDeps, Reader, Tx } from '../../database/database.ts';
import { inBatches } from '../../database/prepare.ts';
import type { Passwords } from '../../lib/passwords/passwords.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { normalizeEmail } from '../../lib/text/normalize.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvents } from '../events/record-event.ts';
import { insertMembers, listGroups } from '../groups/queries.ts';
import { enqueueMail } from '../mail/enqueue-mail.ts';
import { recordImported } from '../people/accounts/parameters-in-use.ts';
import { ADMINISTRATOR } from '../people/sign-in/hashing-client.ts';
import type { PasswordPolicy } from '../people/sign-in/password-policy.ts';
import { findOwnedEmails } from './queries.ts';
import type { ImportEntry } from './read-entry.ts';
import { insertUsers } from './records/new-user-queries.ts';

export interface ImportDeps extends DatabaseDeps {
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
  /** Whether accounts without a password get a message with a link to set one. */
  readonly sendClaims: boolean;
}

/** existing: the email has an owner, for example because the same file was imported before. */
export type ImportOutcome = 'imported' | 'existing' | { readonly rejected: string };

/**
 * Imports users in one transaction, and returns the outcome of each. Their emails are not verified by messages, and no
 * notices are sent.
 * @throws DatabaseUnavailable, PasswordsUnavailable
 */
export async function importBatch(
  deps: ImportDeps,
  entries: readonly ImportEntry[],
): Promise<ImportOutcome[]> {
  // First, so that an import that is repeated does not hash the passwords again.
  const outcomes = await checkBatch(deps, entries);
  const accepted = entries.filter((_, index) => outcomes[index] === 'imported');
  const users = await Promise.all(accepted.map((entry) => prepareUser(deps, entry)));
  // In the same order in every transaction, so that two imports at once cannot deadlock.
  const sorted = users.toSorted((a, b) => (a.emailKey < b.emailKey ? -1 : 1));
  const stored = await deps.database.transaction((tx) => storeUsers(deps, tx, sorted), { isLong: true });
  const ids = users.values();
  return outcomes.map((outcome) => {
    if (outcome !== 'imported') return outcome;
    return stored.has(ids.next().value!.id) ? 'imported' : 'existing';
  });
}

/**
 * Returns the outcomes that the import of users would have, and stores nothing. Emails that occur twice among the users
 * are not found.
 * @throws DatabaseUnavailable
 */
export async function checkBatch(
  { database, passwordPolicy }: ImportDeps,
  entries: readonly ImportEntry[],
): Promise<ImportOutcome[]> {
  const keys = entries.map(({ email }) => normalizeEmail(email));
  const owned = await findOwnedEmails(database, [...new Set(keys)]);
  const groups = await readGroupIds(database, entries);
  return Promise.all(
    entries.map(async (entry, index) => {
      if (owned.has(keys[index]!)) return 'existing';
      if (!entry.groups.every((name) => groups.has(name)))
        return { rejected: 'groups has a name that no group has.' };
      const reason =
        entry.password === null ? null : await findViolation(passwordPolicy, entry.password, entry);
      return reason === null ? 'imported' : { rejected: reason };
    }),
  );
}

/** Returns the ids of all groups by name, if one of the entries names any. */
async function readGroupIds(reader: Reader, entries: readonly Pick<ImportEntry, 'groups'>[]) {
  const rows = entries.some(({ groups }) => groups.length > 0) ? await listGroups(reader) : [];
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** Adds the imported users to their groups, of which one may have been deleted meanwhile. */
async function storeGroups(
  tx: Tx,
  users: readonly { readonly id: string; readonly groups: readonly string[] }[],
  now: number,
): Promise<void> {
  const ids = await readGroupIds(tx, users);
  const members = users.flatMap(({ id: userId, groups }) =>
    groups.flatMap((name) => (ids.has(name) ? [{ userId, name, group_id: ids.get(name)! }] : [])),
  );
  for (const batch of inBatches(members)) {
    await insertMembers(
      tx,
      batch.map(({ group_id, userId }) => [group_id, userId]),
      now,
    );
    const type = 'group.member_added';
    await recordEvents(
      tx,
      batch.map(({ userId, ...details }) => ({ type, userId, details, now })),
    );
  }
}

async function prepareUser({ passwords }: ImportDeps, { password, ...entry }: ImportEntry) {
  const passwordHash = password === null ? entry.passwordHash : await passwords.hash(password, ADMINISTRATOR);
  return { ...entry, id: newId(), emailKey: normalizeEmail(entry.email), ownsEmail: true, passwordHash };
}

/** Returns the message of the password policy, or null if it accepts the password. */
async function findViolation(
  policy: PasswordPolicy,
  password: string,
  { name, email }: { readonly name: string | null; readonly email: string },
): Promise<string | null> {
  try {
    await policy.check(password, { name: name ?? '', email });
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.text;
    throw error;
  }
}

async function storeUsers(
  { clock, sendClaims }: ImportDeps,
  tx: Tx,
  users: readonly Awaited<ReturnType<typeof prepareUser>>[],
): Promise<Set<string>> {
  if (users.length === 0) return new Set();
  const now = clock();
  const stored = await insertUsers(tx, users, now);
  const added = users.filter(({ id }) => stored.has(id));
  if (added.length === 0) return stored;
  await recordEvents(
    tx,
    added.map(({ id: userId }) => ({ type: 'user.created', userId, now })),
  );
  await storeGroups(tx, added, now);
  await recordImported(
    tx,
    added.flatMap(({ passwordHash }) => passwordHash ?? []),
  );
  if (!sendClaims) return stored;
  for (const { id: userId, email, state } of added) {
    if (state === 'unclaimed')
      await enqueueMail(tx, { kind: 'claim_account', userId, email, isBulk: true, now });
  }
  return stored;
}
