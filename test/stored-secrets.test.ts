/** What somebody who takes the database (all of its files, or a dump) and the log can find in them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { describeOnEachEngine, type TestDatabase } from './support/engines.ts';
import { useService } from './support/service.ts';

/** Everything that is stored, bytes as Latin-1. */
async function everythingStored({ url, directory }: TestDatabase): Promise<string> {
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  return [...files, ...(url === null ? [] : await everyRow(url))].join('\n');
}

async function everyRow(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
    const values: string[] = [];
    for (const { tablename } of tables.rows) {
      const { rows } = await client.query(`select * from "${tablename}"`);
      for (const value of rows.flatMap((row) => Object.values(row))) {
        values.push(value instanceof Buffer ? value.toString('latin1') : String(value));
      }
    }
    return values;
  } finally {
    await client.end();
  }
}

/** The secret as it is, in hex, and as it looks inside base64 at each of the three places it can begin. */
function disguises(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const skipped = Math.ceil((before * 4) / 3);
    return (['base64', 'base64url'] as const).map((encoding) =>
      whole.toString(encoding).replace(/=+$/, '').slice(skipped, -1),
    );
  });
  return [bytes.toString('latin1'), bytes.toString('hex'), bytes.toString('utf16le'), ...inBase64];
}

describeOnEachEngine('a thief of the database', (engine) => {
  const service = useService(engine);

  test('finds no password, no token and no Idempotency-Key, in no encoding, and neither in the log', async () => {
    const person = { name: 'Ada', email: 'ada@example.com', password: 'zebra crossing at noon' };
    const key = '0f8b6a52-retry-of-ada';
    const headers = { 'idempotency-key': key };
    const registration = await service.api.post('/api/register', person, { headers });
    const replay = await service.api.post('/api/register', person, { headers });
    assert.equal(replay.text, registration.text);
    const login = await service.api.post('/api/login', person);
    const wrong = 'giraffe crossing at night';
    await service.api.post('/api/login', { ...person, password: wrong });
    await service.api.get('/api/v1/me', { token: login.body.access_token });
    await service.api.get('/api/v1/me', { token: 'lion crossing at dawn' });
    await service.api.get('/api/v1/admin/dashboard', { token: 'lion crossing at dawn' });

    const stored = await everythingStored(service.testDatabase);
    const logged = JSON.stringify(service.log);
    assert.ok(stored.includes(person.email), 'what is looked through is the data');
    const tokens = [registration.body.access_token, login.body.access_token];
    for (const secret of [person.password, wrong, ...tokens, key, 'lion crossing at dawn']) {
      for (const disguise of disguises(secret)) {
        assert.ok(!stored.includes(disguise), `${secret} is stored as ${disguise}`);
        assert.ok(!logged.includes(disguise), `${secret} is logged as ${disguise}`);
      }
    }
  });
});
