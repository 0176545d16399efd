import { getActionContext } from '../../../callers/action-context.ts';
import type { Reader, Tx } from '../../../database/database.ts';
import { prepareForRows } from '../../../database/prepare.ts';
import { indexNewUsers, readIndexFor, toGeneration } from '../records/metadata-index/index-users.ts';
import { toNameKey } from '../records/queries.ts';
import { insertSearchTexts } from '../records/search/queries.ts';
import { countUser } from '../records/user-counters.ts';
import type { UserState } from '../records/user-states.ts';

/** A user to be stored, who owns their email. Times are in epoch milliseconds. */
export interface ImportedUser {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string | null;
  readonly level: string | null;
  readonly locale?: string | null;
  readonly state: UserState;
  readonly emailVerifiedAt: number | null;
  readonly createdAt: number;
  readonly userMetadata: string | null;
  readonly appMetadata: string | null;
}

/** A scalar subquery, which no engine turns into a join that reads all users. */
const OWNED = prepareForRows<{ email_key: string }>(
  { email_key: 'text' },
  `select email_key from given where 1 = (
      select owns_email from users where users.email_key = given.email_key and owns_email = 1)`,
);

/** Returns which of at most 500 normalized emails have an owner. */
export async function findOwnedEmails(reader: Reader, emailKeys: readonly string[]): Promise<Set<string>> {
  return new Set((await OWNED.all(reader, emailKeys)).map(({ email_key }) => email_key));
}

const COLUMNS = {
  id: 'text',
  name: 'text',
  name_key: 'text',
  email: 'text',
  email_key: 'text',
  password_hash: 'text',
  level: 'text',
  locale: 'text',
  state: 'text',
  email_verified_at: 'bigint',
  created_at: 'bigint',
  user_metadata: 'text',
  app_metadata: 'text',
  metadata_generation: 'bigint',
} as const;
const NAMES = Object.keys(COLUMNS);

const INSERT = prepareForRows<{ id: string }, [now: number]>(
  COLUMNS,
  `insert into users (${NAMES}, owns_email, updated_at, version)
    select ${NAMES}, 1, cast($1 as bigint), 1 from given where true
    on conflict do nothing returning id`,
  1,
);

type KeyedUser = ReturnType<typeof toKeyedUser>;

function toKeyedUser(user: ImportedUser) {
  const { locale = null, userMetadata: user_metadata, appMetadata: app_metadata } = user;
  return { ...user, locale, nameKey: toNameKey(user.name), user_metadata, app_metadata };
}

/** Returns the values in the order of the columns. */
function toRow(user: KeyedUser & { readonly generation: number | null }) {
  const { id, name, nameKey, email, emailKey, passwordHash, level, locale, state } = user;
  const { emailVerifiedAt, createdAt, user_metadata, app_metadata, generation } = user;
  const account = [id, name, nameKey, email, emailKey, passwordHash, level, locale, state];
  return [...account, emailVerifiedAt, createdAt, user_metadata, app_metadata, generation];
}

/** Stores at most 500 users, except those whose email has an owner. Returns the ids of the stored ones. */
export async function insertImportedUsers(
  tx: Tx,
  users: readonly ImportedUser[],
  now: number,
): Promise<Set<string>> {
  const keyed = users.map(toKeyedUser);
  const index = await readIndexFor(tx, keyed);
  const rows = keyed.map((user) =>
    toRow({ ...user, generation: index === undefined ? null : toGeneration(user, index) }),
  );
  const stored = new Set((await INSERT.all(tx, rows, now)).map(({ id }) => id));
  const added = keyed.filter(({ id }) => stored.has(id));
  for (const { state, createdAt } of added) countUser(tx, { state, ownsEmail: true, createdAt }, 1);
  await insertSearchTexts(tx, added);
  if (index !== undefined) await indexNewUsers(tx, added, index);
  return stored;
}

const INSERT_EVENTS = prepareForRows<never, [now: number, data: string]>(
  { id: 'text', user_id: 'text' },
  `insert into events (id, created_at, type, subject, actor, outcome, data)
    select id, cast($1 as bigint), 'user.created', 'user:' || user_id, 'administrator', 'success', $2
    from given where true`,
  2,
);

/** Records the creation of at most 500 users by the administrator. */
export async function insertCreatedEvents(
  tx: Tx,
  events: readonly (readonly [id: string, userId: string])[],
  now: number,
): Promise<void> {
  const { name } = getActionContext().actor;
  await INSERT_EVENTS.run(tx, events, now, JSON.stringify({ actor_name: name }));
}
