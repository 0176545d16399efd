/** Assertions about the responses during an outage of the database and after it. */
import assert from 'node:assert/strict';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import type { Api, ApiResponse } from '../api.ts';
import { admin, newUserData } from '../environment.ts';
import { postgresUrl, type TestDatabase } from '../runner/engines.ts';
import { until } from '../until.ts';

/** Sends a request that writes, without a password to hash. */
export function write(api: Api): Promise<ApiResponse> {
  const { name, email } = newUserData();
  return api.post('/api/v1/users', { name, email }, admin);
}

/** Sends a request that reads the database. */
export function read(api: Api): Promise<ApiResponse> {
  return api.get('/api/v1/users?limit=1', admin);
}

export function assertOutage({ status, headers, body }: ApiResponse): void {
  assert.equal(status, 503);
  assert.equal(body.code, 'service_unavailable');
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

export async function assertHealth(api: Api, expected: { livez: number; readyz: number }): Promise<void> {
  const [livez, readyz] = await Promise.all([api.get('/livez'), api.get('/readyz')]);
  assert.deepEqual({ livez: livez.status, readyz: readyz.status }, expected);
}

export async function assertWorks(api: Api): Promise<void> {
  await assertHealth(api, { livez: 200, readyz: 200 });
  assert.equal((await read(api)).status, 200);
  assert.equal((await write(api)).status, 201);
}

/** Waits until the service has noticed that its database is back: connections that were lost fail once each. */
export async function assertRecovers(api: Api): Promise<void> {
  const responses = () => Promise.all([api.get('/readyz'), read(api), write(api)]);
  const hasRecovered = async () => (await responses()).every(({ status }) => status !== 503);
  await until(hasRecovered, 'the service has recovered');
  await assertWorks(api);
}

/** Makes the database of a running service unusable, for the rest of its life. */
export async function breakDatabase({ url, directory }: TestDatabase): Promise<void> {
  if (url === null) return overwritePages(join(directory, 'frontdesk.db'));
  const client = new pg.Client({ connectionString: postgresUrl() });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query(`alter database ${name} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await client.end();
}

const PAGE = 4096;

/** Overwrites all pages but the first, after a change by which other connections drop their page caches. */
function overwritePages(file: string): void {
  const other = new SQLite(file);
  other.exec('create table other (id)');
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  const handle = openSync(file, 'r+');
  const rest = statSync(file).size - PAGE;
  writeSync(handle, Buffer.alloc(rest, 0xee), 0, rest, PAGE);
  closeSync(handle);
}
