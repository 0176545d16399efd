import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keyed, newKey, replayed } from '../../../test/support/keyed.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { newUserData, type TestService, useService } from '../../../test/support/service.ts';
import { type Database, sql } from '../../database/database.ts';

/** Returns everything that is stored: the bytes of every file, and on PostgreSQL every row of every table as text. */
async function dumpDatabase({ service, testDatabase }: TestService): Promise<string> {
  const { directory } = testDatabase;
  const files = readdirSync(directory).filter((name) => name.startsWith('frontdesk.db'));
  const bytes = files.map((name) => readFileSync(join(directory, name), 'latin1'));
  const rows = service.database.isShared ? await listRows(service.database) : [];
  return [...bytes, ...rows].join('\n');
}

async function listRows(database: Database): Promise<string[]> {
  const tables = await database.all(
    sql<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'"),
  );
  const rows = tables.map(({ name }) =>
    database.all(sql<{ row: string }>(`select t::text as row from ${name} t`)),
  );
  return (await Promise.all(rows)).flat().map(({ row }) => row);
}

/** Returns the encodings of a secret: plain, hexadecimal, and base64 at each offset in a longer text. */
function toEncodings(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.from(' '.repeat(offset) + secret).toString('base64url');
    // The first and last characters also carry bits of the neighbours.
    return text.slice(offset === 0 ? 0 : offset + 1, -3);
  });
  const hex = Buffer.from(secret).toString('hex');
  return [secret, hex, hex.toUpperCase(), ...base64, ...base64.map(standard)];
}

const standard = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

describeOnSqlite('secrets of idempotent requests in the database', (engine) => {
  const service = useService(engine);

  test('the database has neither the Idempotency-Key nor the token or password of the request, in any encoding', async () => {
    const person = { ...newUserData(), password: 'a password that no other test uses: 4711' };
    const key = newKey();
    const first = await service.api.post('/api/register', person, keyed(key));
    const second = await service.api.post('/api/register', person, keyed(key));
    assert.equal(replayed(second), 'true');
    const dump = await dumpDatabase(service);
    assert.ok(dump.includes(person.email), 'the dump contains stored values');
    assert.ok(dump.includes('POST /api/register'), 'the dump contains the row of the key');
    const { access_token: token } = first.body;
    for (const secret of [key, token, token.slice('fd_pat_'.length), person.password]) {
      for (const encoding of toEncodings(secret)) assert.ok(!dump.includes(encoding), encoding);
    }
  });
});
