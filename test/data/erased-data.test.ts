/** Content of the database file after a user was erased. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { admin, editor, startService, type TestService } from '../support/service.ts';
import { insertTestUser, register } from '../support/users.ts';

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Columns whose values belong to one user only. */
const PERSONAL = [
  sql<Row>('select id, name, email, email_key, password_hash from users where id = $1'),
  sql<Row>('select content from user_texts where user_id = $1'),
  sql<Row>('select hash, id from tokens where user_id = $1'),
  sql<Row>('select key_hash, origin, fingerprint, salt, sealed from idempotency_keys where user_id = $1'),
  sql<Row>('select network from known_networks where user_id = $1'),
];

describe('the SQLite file', () => {
  let service: TestService;
  before(async () => {
    service = await startService('sqlite');
  });
  after(() => service.stop());

  /** Returns everything that is stored about a user, with salt and tag of the password hash by themselves. */
  async function personalData(id: string): Promise<string[]> {
    const rows = await Promise.all(PERSONAL.map((statement) => service.database.all(statement, id)));
    for (const [index, { length }] of rows.entries()) assert.notEqual(length, 0, PERSONAL[index]!.text);
    const values = rows.flat().flatMap((row) => Object.values(row));
    const texts = values.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
    );
    return texts.flatMap((text) => (text.startsWith('$argon2id') ? text.split('$').slice(-2) : [text]));
  }

  /** Returns the content of all files of the database, as Latin-1 in lower case. */
  function allFiles(): string {
    const { directory } = service.testDatabase;
    const files = readdirSync(directory).filter((name) => name.startsWith('frontdesk.db'));
    return files.map((name) => readFileSync(join(directory, name), 'latin1').toLowerCase()).join('\n');
  }

  test('the SQLite file contains no earlier or last value of an erased user after the service has stopped', async () => {
    const other = await insertTestUser(service.database);
    const user = { name: 'Augusta King', email: 'Augusta.King@example.org', password: 'analytical engine' };
    const headers = { 'idempotency-key': 'augusta-registers-once' };
    const registered = await service.api.post('/api/register', user, { headers });
    const path = registered.headers.get('location')!;
    const id = path.split('/').at(-1)!;
    await service.api.post('/api/login', user);
    await register(service);
    const original = await personalData(id);
    const changes = { name: 'Ada Lovelace', email: 'Ada.Lovelace@example.net' };
    const changed = await service.api.patch(path, changes, editor);
    assert.equal(changed.status, 200);
    const final = await personalData(id);
    assert.equal((await service.api.delete(path, admin)).status, 204);
    await service.service.stop();

    const content = allFiles();
    assert.ok(content.includes(other.email!), 'the searched files contain the other user');
    // Events have the id, and no other value of the user.
    const remaining = new Set([...original, ...final]).difference(new Set([id])).values();
    assert.deepEqual(remaining.filter((value) => content.includes(value.toLowerCase())).toArray(), []);
  });
});
