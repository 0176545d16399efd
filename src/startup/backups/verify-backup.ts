/** Verifies a backup by a drill: restores it into a database of its own, and starts a service on it, which it uses. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Database } from '../../database/database.ts';
import { withScratchDatabase } from '../../database/replace.ts';
import { findDamage } from '../../database/sqlite/find-damage.ts';
import { deleteRows, listTables, readPages } from '../../database/tables.ts';
import { BackupRejected } from '../../features/backups/format/manifest.ts';
import { type BackupSource, loadBackup } from '../../features/backups/restore/load-backup.ts';
import { createSeal, SEALED_COLUMNS, type SealPurpose, tryUnseal } from '../../lib/secrets/encryption.ts';
import { formatCount } from '../../lib/text/text.ts';

interface DrillOptions {
  /** Directory in which the copy is made. */
  readonly dataDir: string;
  readonly onRows?: (rows: number) => void;
  /** Is called with the description of each check that has passed. */
  readonly onCheck?: (description: string) => void;
}

/** @throws BackupRejected with the reason */
export async function verifyBackup(
  source: BackupSource & { readonly secretKey: string },
  { dataDir, onRows, onCheck = () => {} }: DrillOptions,
): Promise<void> {
  const { secretKey } = source;
  await withScratchDatabase(dataDir, 'drill', async (database, directory) => {
    const { rows, events } = await loadBackup(database, source, { onRows });
    onCheck(`restored ${formatCount(rows, 'row')}; number and digest of each table are right`);
    onCheck(`verified the chain of ${formatCount(events, 'event')}`);
    const damage = await findDamage(database);
    if (damage !== null) throw new BackupRejected(`the restored database is damaged: ${damage}`);
    onCheck('checked the integrity of the database and all references');
    onCheck(`SECRET_KEY opens ${await checkSealed(database, secretKey)}`);
    await silence(database);
    await database.close();
    await probeService(directory, secretKey);
    onCheck('started a service on it: registration, login and GET /api/v1/me succeed');
  });
}

/** Returns how many secrets SECRET_KEY opens. Some may be of an earlier key that was lost. @throws BackupRejected */
async function checkSealed(database: Database, secretKey: string): Promise<string> {
  const purposes = Object.keys(SEALED_COLUMNS) as SealPurpose[];
  const seals = purposes.flatMap((purpose) =>
    SEALED_COLUMNS[purpose].map((column) => [column, createSeal(secretKey, purpose)] as const),
  );
  let [opened, total] = [0, 0];
  for (const table of await listTables(database, database.engine)) {
    const names = table.columns.map(({ name }) => `${table.name}.${name}`);
    const sealed = seals.filter(([column]) => names.includes(column));
    if (sealed.length === 0) continue;
    // Each secret is bound to the primary key of its row.
    const id = names.indexOf(`${table.name}.${table.key[0]}`);
    for await (const rows of readPages(database, table))
      for (const [column, seal] of sealed)
        for (const row of rows) {
          const value = row[names.indexOf(column)];
          if (!(value instanceof Uint8Array)) continue;
          total++;
          if (tryUnseal(seal, String(row[id]), value) !== null) opened++;
        }
  }
  if (opened === 0 && total > 0) throw new BackupRejected('SECRET_KEY opens none of its secrets');
  return `${opened} of ${total} secrets`;
}

/** Tables that make a service on a copy send messages or reject a new account. */
const SILENCED_TABLES = ['jobs', 'webhook_endpoints', 'run_time_settings'];

/** Makes a copy of the database safe to run a service on. */
export async function silence(database: Database): Promise<void> {
  const tables = await listTables(database, database.engine);
  await database.transaction(async (tx) => {
    for (const table of tables) if (SILENCED_TABLES.includes(table.name)) await deleteRows(tx, table);
  });
}

/** A service on a large database starts within seconds. */
const START_TIMEOUT_MS = 120_000;
const PROGRAM = new URL('./drill-service.ts', import.meta.url);

/** Registers, logs in and reads the own account. Nothing is sent: the service has no mail server. @throws BackupRejected */
async function probeService(dataDir: string, secretKey: string): Promise<void> {
  const child = fork(PROGRAM, { stdio: 'ignore' });
  try {
    child.send({
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      ADMIN_TOKEN: randomBytes(32).toString('hex'),
      CONSOLE: 'off',
      // It may have little of the processor.
      LOAD_SHEDDING_MS: 'off',
      PASSWORD_MAX_WAIT_MS: '60000',
    });
    await useAccount(await readUrl(child));
  } finally {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await exited;
  }
}

async function readUrl(child: ReturnType<typeof fork>): Promise<string> {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  const ended = once(child, 'exit', { signal }).then(() => [{ problem: 'it has exited' }]);
  try {
    const [{ url, problem }] = await Promise.race([once(child, 'message', { signal }), ended]);
    if (url === undefined) throw new BackupRejected(`a service on it does not start: ${problem}`);
    return url;
  } finally {
    controller.abort();
    await ended.catch(() => {});
  }
}

async function useAccount(url: string): Promise<void> {
  const email = `drill-${randomBytes(8).toString('hex')}@example.com`;
  const password = randomBytes(16).toString('hex');
  const post = (path: string, body: object) =>
    request(url, path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });
  await post('/api/v1/register', { name: 'Restore drill', email, password });
  const { access_token } = await post('/api/v1/login', { email, password });
  const { data } = await request(url, '/api/v1/me', { headers: { authorization: `Bearer ${access_token}` } });
  if (data?.email !== email)
    throw new BackupRejected('GET /api/v1/me of a service on it returns another account');
}

const JSON_TYPE = { 'content-type': 'application/json' };

interface ProbeResponse {
  readonly access_token?: string;
  readonly data?: { readonly email?: string; readonly access_token?: string };
}

async function request(url: string, path: string, init: RequestInit): Promise<ProbeResponse> {
  const response = await fetch(url + path, init);
  if (response.ok) return (await response.json()) as ProbeResponse;
  throw new BackupRejected(`a service on it responds to ${path} with ${response.status}`);
}
