/** Stores new users, with the texts and keys by which they are found. */
import type { Role } from '../../../callers/admin-scopes.ts';
import type { Tx } from '../../../database/database.ts';
import { prepareForRows, prepareGet } from '../../../database/prepare.ts';
import { toNameKey, USER_COLUMNS, type UserRow } from './queries.ts';
import { insertMetadataKeys, writeSearchTexts } from './search-queries.ts';
import { countUser, type UserState } from './user-counters.ts';

/** A user to be stored. Times are in epoch milliseconds. */
export interface NewUser {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  /** The normalized email, for comparisons; null if and only if `email` is null. */
  readonly emailKey: string | null;
  /** Whether no other record can have this email. Records of anonymous callers do not reserve theirs. */
  readonly ownsEmail: boolean;
  readonly passwordHash: string | null;
  readonly level: string | null;
  readonly locale?: string | null;
  readonly zoneinfo?: string | null;
  readonly role?: Role | null;
  readonly state: UserState;
  readonly emailVerifiedAt?: number | null;
  readonly createdAt: number;
  /** As `patchMetadata` returns it; null if absent. */
  readonly userMetadata?: string | null;
  readonly appMetadata?: string | null;
}

const COLUMNS = {
  id: 'text',
  name: 'text',
  name_key: 'text',
  email: 'text',
  email_key: 'text',
  owns_email: 'bigint',
  password_hash: 'text',
  level: 'text',
  locale: 'text',
  zoneinfo: 'text',
  role: 'text',
  state: 'text',
  email_verified_at: 'bigint',
  created_at: 'bigint',
  user_metadata: 'text',
  app_metadata: 'text',
} as const;
const NAMES = Object.keys(COLUMNS);

const INSERT = prepareForRows<{ id: string }, object, [now: number]>(
  COLUMNS,
  `insert into users (${NAMES}, updated_at, version)
    select ${NAMES}, cast($1 as bigint), 1 from given where true
    on conflict do nothing returning id`,
  1,
);

type UserColumns = ReturnType<typeof toRow>;

/** Most are stored alone, by a statement that costs less. */
const insertOne = prepareGet<UserRow, UserColumns, Tx>(`
  insert into users (${NAMES}, updated_at, version)
    values (${NAMES.map((name) => `$${name}`)}, $created_at, 1)
    on conflict do nothing returning ${USER_COLUMNS}`);

function toRow(user: NewUser) {
  const nameKey = toNameKey(user.name);
  return {
    ...{ locale: null, zoneinfo: null, role: null, ...user, nameKey },
    ...{ name_key: nameKey, email_key: user.emailKey, owns_email: Number(user.ownsEmail) },
    ...{ password_hash: user.passwordHash, created_at: user.createdAt },
    email_verified_at: user.emailVerifiedAt ?? null,
    ...{ user_metadata: user.userMetadata ?? null, app_metadata: user.appMetadata ?? null },
  };
}

/** Stores users, except those whose email has an owner. Returns the ids of the stored ones. */
export async function insertUsers(tx: Tx, users: readonly NewUser[], now: number): Promise<Set<string>> {
  const rows = users.map(toRow);
  const stored = new Set((await INSERT.all(tx, rows, now)).map(({ id }) => id));
  await indexUsers(
    tx,
    rows.filter(({ id }) => stored.has(id)),
  );
  return stored;
}

/** Stores a user, and returns the row; undefined when another record owns the email. */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRow | undefined> {
  const row = toRow(user);
  const stored = await insertOne(tx, row);
  if (stored !== undefined) await indexUsers(tx, [row]);
  return stored;
}

/** Counts users that were stored, and lets them be found. */
async function indexUsers(tx: Tx, added: readonly UserColumns[]): Promise<void> {
  for (const user of added) countUser(tx, user, 1);
  writeSearchTexts(tx, added);
  await insertMetadataKeys(tx, added);
}
