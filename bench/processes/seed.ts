/** Seeded databases: users inserted through the schema of the service, and tokens for some of them. */
import { hash } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash as hashPassword } from '@node-rs/argon2';
import { type Database, sql, type Tx, type Value } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { openDatabase } from '../../src/database/open.ts';
import { recomputeStatistics } from '../../src/features/activity/dashboard/recompute-statistics.ts';
import { TOKENS_COUNTER } from '../../src/features/people/tokens/queries.ts';
import {
  insertMetadataKeys,
  type SearchedKeys,
  writeSearchTexts,
} from '../../src/features/users/records/search-queries.ts';
import { PARAMETERS } from '../../src/lib/passwords/password-parameters.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { hashToken, newToken } from '../../src/lib/secrets/tokens.ts';
import { normalizeName } from '../../src/lib/text/normalize.ts';
import { toHourNumber } from '../../src/lib/time.ts';
import { PASSWORD } from '../load/requests.ts';
import { createMetadata } from './metadata.ts';

export const createEmail = (number: number) => `person-${String(number).padStart(7, '0')}@example.com`;

const CACHE = join(tmpdir(), 'frontdesk-bench');
/** Name of the database in the directory of the data. */
export const SQLITE_FILE = 'frontdesk.db';
const ROWS_PER_TRANSACTION = 50_000;
const ROWS_PER_STATEMENT = 100;
const COLUMNS = 14;

export interface Population {
  readonly users: number;
  /** Whether the users have metadata that is indexed (metadata.ts). */
  readonly hasMetadata?: boolean | undefined;
}

/** Copies a seeded database into `directory`, and issues a token to each of its first users. */
export async function populate(
  directory: string,
  users: number,
  {
    tokens = users,
    hasMetadata,
  }: { readonly tokens?: number; readonly hasMetadata?: boolean | undefined } = {},
): Promise<Sample> {
  await seed(directory, { users, hasMetadata });
  const database = open(directory);
  const sample = await issueTokens(database, tokens);
  await database.close();
  return sample;
}

/** Creates the tables in an empty database of either engine, with users and a token for some of them. */
export async function populateDatabase(
  database: Database,
  { users, tokens, hasMetadata = false }: Population & { readonly tokens: number },
): Promise<Sample> {
  await migrate(database);
  await insertUsers(database, { users, hasMetadata });
  await recomputeStatistics(database, Date.now);
  return issueTokens(database, tokens);
}

/** Copies a database with users into `directory`. The database is kept for later runs. */
async function seed(directory: string, population: Population): Promise<void> {
  const { users, hasMetadata = false } = population;
  const schema = hash('sha1', migrations.map(({ statements }) => String(statements)).join(), 'hex');
  const version = `${migrations.at(-1)!.version}-${schema.slice(0, 8)}`;
  const cached = join(CACHE, `${version}-${users}${hasMetadata ? '-metadata' : ''}`);
  if (!existsSync(cached)) await createSeed(cached, population);
  mkdirSync(directory, { recursive: true });
  copyFileSync(join(cached, SQLITE_FILE), join(directory, SQLITE_FILE), constants.COPYFILE_FICLONE);
}

/** Builds the database under another name, so that an interrupted run leaves nothing that looks complete. */
async function createSeed(cached: string, population: Population): Promise<void> {
  const unfinished = `${cached}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const database = open(unfinished);
  await populateDatabase(database, { ...population, tokens: 0 });
  await database.close();
  renameSync(unfinished, cached);
}

function open(directory: string): Database {
  return openDatabase({ databaseUrl: null, dataDir: directory, databasePool: 1 });
}

const ROW = (row: number) =>
  `(${Array.from({ length: COLUMNS }, (_, column) => `$${row * COLUMNS + column + 1}`).join(', ')})`;
const INSERT_USERS = sql(`
  insert into users (id, name, email, email_key, owns_email, password_hash, level, state,
                     created_at, updated_at, name_key, version, last_login_at, app_metadata)
  values ${Array.from({ length: ROWS_PER_STATEMENT }, (_, row) => ROW(row)).join(', ')}`);

async function insertUsers(database: Database, { users, hasMetadata = false }: Population): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD, PARAMETERS);
  for (let from = 0; from < users; from += ROWS_PER_TRANSACTION) {
    const end = Math.min(from + ROWS_PER_TRANSACTION, users);
    await database.transaction((tx) => insertRange(tx, { from, end, hasMetadata }, passwordHash));
  }
}

async function insertRange(
  tx: Tx,
  { from, end, hasMetadata }: { from: number; end: number; hasMetadata: boolean },
  passwordHash: string,
): Promise<void> {
  const now = Date.now();
  for (let number = from; number < end; number += ROWS_PER_STATEMENT) {
    const values: Value[] = [];
    const searched: SearchedKeys[] = [];
    const indexed: Parameters<typeof insertMetadataKeys>[1][number][] = [];
    for (let row = number; row < number + ROWS_PER_STATEMENT; row++) {
      const email = createEmail(row);
      const name = `Person ${row}`;
      const [id, nameKey] = [newId(), normalizeName(name)];
      searched.push({ id, nameKey, emailKey: email });
      const app_metadata = hasMetadata ? createMetadata(row) : null;
      indexed.push({ id, app_metadata, user_metadata: null });
      values.push(
        ...[id, name, email, email, 1, passwordHash, 'member', 'active', now, now, nameKey, 1],
        // Every other user has logged in, the first ones last.
        row % 2 === 0 ? now - row * 1_000 : null,
        app_metadata,
      );
    }
    await tx.run(INSERT_USERS, ...values);
    writeSearchTexts(tx, searched);
    await insertMetadataKeys(tx, indexed);
  }
}

export interface Sample {
  /** Ids of the first users, and a token for each. */
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
}

const FIRST_USERS = sql<{ id: string }>('select id from users order by id limit $1');
const INSERT_TOKEN = sql(`
  insert into tokens (hash, id, user_id, name, scopes, created_at, expires_at)
  values ($1, $2, $3, 'bench', 'self:read self:write tokens:manage', $4, $5)`);
const LIFETIME_MS = 86_400_000;

/** Issues a token to each of the first `count` users. The service must not run yet. */
async function issueTokens(database: Database, count: number): Promise<Sample> {
  const ids = (await database.all(FIRST_USERS, count)).map(({ id }) => id);
  const tokens = ids.map(newToken);
  const now = Date.now();
  await database.transaction(async (tx) => {
    for (const [index, id] of ids.entries()) {
      await tx.run(INSERT_TOKEN, hashToken(tokens[index]!), newId(), id, now, now + LIFETIME_MS);
      tx.count(TOKENS_COUNTER, toHourNumber(now + LIFETIME_MS), 1);
    }
  });
  return { ids, tokens };
}
