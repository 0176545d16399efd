/** Loads a backup into an empty database, and brings it to the schema of this release. */
import type { Database } from '../../../database/database.ts';
import { migrate } from '../../../database/migrate.ts';
import { migrations } from '../../../database/migrations/index.ts';
import type { DatabaseSettings } from '../../../database/open.ts';
import { replaceDatabase } from '../../../database/replace.ts';
import { deleteRows } from '../../../database/tables.ts';
import { recomputeStatistics } from '../../activity/dashboard/recompute-statistics.ts';
import { markImports } from '../../events/chain/accept-events.ts';
import { createMark, withMarks } from '../../events/chain/chain.ts';
import { readChain } from '../../events/queries.ts';
import { recordEvent } from '../../events/record-event.ts';
import { ADVICE, FINDINGS } from '../../events/verify/findings.ts';
import { verifyChain } from '../../events/verify/verify-chain.ts';
import { writeSearchTexts } from '../../users/records/search-queries.ts';
import {
  BackupRejected,
  getKeyFingerprint,
  listStoredTables,
  type Manifest,
  parseManifest,
  SESSION_TABLES,
  type Trailer,
} from '../format/manifest.ts';
import { readLines } from '../format/streams.ts';
import type { Fact } from '../ledger.ts';
import { readSearchedKeys } from '../queries.ts';
import { type ReportRows, readTables } from './read-tables.ts';
import { repeatFacts } from './repeat-facts.ts';

export interface BackupSource {
  readonly file: string;
  /** Secret keys of age, for an encrypted backup. */
  readonly identities: readonly string[];
  /** Null accepts a backup of any SECRET_KEY, and does not verify what depends on it. */
  readonly secretKey: string | null;
}

interface LoadOptions {
  /** Whether the tokens of users are stored; true if absent. */
  readonly keepsTokens?: boolean;
  readonly onRows?: ReportRows | undefined;
}

/** Restores a backup into the database of the settings. No service may use a SQLite database meanwhile. @throws BackupRejected, DatabaseNotEmpty, DatabaseUnavailable */
export function restoreBackup(
  settings: DatabaseSettings,
  source: BackupSource,
  {
    replaces,
    facts,
    ...options
  }: LoadOptions & { readonly replaces: boolean; readonly facts: readonly Fact[] },
) {
  const fill = async (database: Database) => {
    const loaded = await loadBackup(database, source, options);
    const { secretKey } = source;
    const { id, created_at } = loaded.manifest;
    const details = { id, created_at, rows: loaded.rows };
    const marked = secretKey === null ? database : withMarks(database, () => secretKey);
    if (secretKey !== null)
      await marked.transaction((tx) =>
        recordEvent(tx, { type: 'backup.restored', subject: 'backups', details, now: Date.now() }),
      );
    return { ...loaded, ...(await repeatFacts(marked, facts, created_at)) };
  };
  return replaceDatabase({ settings, replaces, fill });
}

/** Loads the file, and returns the numbers of its rows and of the events in its chain. The database is of no use if it fails. @throws BackupRejected, DatabaseUnavailable */
export function loadBackup(
  database: Database,
  { file, identities, secretKey }: BackupSource,
  { keepsTokens = true, onRows = () => {} }: LoadOptions,
) {
  return readLines(file, identities, async (source) => {
    const lines = source[Symbol.asyncIterator]();
    const manifest = parseManifest((await lines.next()).value ?? '');
    checkSchema(manifest);
    if (secretKey !== null) checkKey(manifest, secretKey);
    const steps = migrations.filter(({ version }) => manifest.migrations.includes(version));
    await migrate(database, steps);
    const tables = await listStoredTables(database, database.engine);
    const { rows, trailer } = await readTables(lines, manifest, { database, tables, onRows });
    await migrate(database);
    const events = await checkChain(database, { trailer, manifest, secretKey });
    const ended = keepsTokens ? SESSION_TABLES : [...SESSION_TABLES, 'tokens'];
    await database.transaction(async (tx) => {
      for (const table of tables) if (ended.includes(table.name)) await deleteRows(tx, table);
    });
    await rebuild(database, Date.parse(manifest.created_at));
    return { manifest, rows, events };
  });
}

function checkSchema({ schema, release }: Manifest): void {
  const last = migrations.at(-1)!.version;
  if (schema > last)
    throw new BackupRejected(
      `its schema ${schema} is newer than that of this release, ${last}: restore it with release ${release} or a later one`,
    );
  if (!migrations.some(({ version }) => version === schema))
    throw new BackupRejected(
      `its schema ${schema} is unknown: restore it with release ${release}, and upgrade that database`,
    );
}

function checkKey({ key_fingerprint }: Manifest, secretKey: string): void {
  if (key_fingerprint !== null && key_fingerprint !== getKeyFingerprint(secretKey))
    throw new BackupRejected(
      'it was made with another SECRET_KEY: restore the file secret-key of that service first',
    );
}

/** Returns the number of events. Those that were not numbered yet are not verified. */
async function checkChain(
  database: Database,
  backup: { trailer: Trailer; manifest: Manifest; secretKey: string | null },
): Promise<number> {
  const { manifest, secretKey } = backup;
  const { head } = backup.trailer;
  const { number, digest } = await readChain(database);
  if (number !== head.number || digest !== head.digest)
    throw new BackupRejected('the end of the chain of events is not the one that its end states');
  if (secretKey === null || number === 0) return 0;
  await markImports(withMarks(database, () => secretKey));
  const options = { after: null, noted: null, mark: createMark(secretKey) };
  const before = Date.parse(manifest.created_at);
  const verified = await verifyChain(database, { ...options, before }, (problem, event) => {
    if (problem in FINDINGS)
      throw new BackupRejected(`event ${event}: ${FINDINGS[problem as keyof typeof FINDINGS]}. ${ADVICE}`);
  });
  return verified!.count;
}

const PAGE_SIZE = 500;

/** Computes what is not in the backup, and what may differ from the rows. */
async function rebuild(database: Database, now: number): Promise<void> {
  for (let after = ''; ; ) {
    const users = await readSearchedKeys(database, after, PAGE_SIZE);
    await database.transaction(async (tx) => writeSearchTexts(tx, users));
    if (users.length < PAGE_SIZE) break;
    after = users.at(-1)!.id;
  }
  await recomputeStatistics(database, () => now);
}
