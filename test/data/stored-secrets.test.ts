/** The database (all of its files, or a dump) and the log contain no secrets. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { listSigningKeys } from '../../src/features/people/tokens/signing-keys/queries.ts';
import { createKeySeal } from '../../src/features/people/tokens/signing-keys/rotate-keys.ts';
import { hashToken } from '../../src/lib/secrets/tokens.ts';
import { createApplication, signIn as startSession } from '../support/applications.ts';
import { fromConsole, SESSION_PATH, signIn } from '../support/browser/console-session.ts';
import { beginDevice, createSignedInBrowser, pollDevice } from '../support/devices.ts';
import { enqueue } from '../support/mail.ts';
import { describeOnSqlite, type TestDatabase } from '../support/runner/engines.ts';
import { ADMIN_TOKEN, openService, startService, type TestService, useService } from '../support/service.ts';
import { mailEnvironment, startSmtpServer } from '../support/smtp-server.ts';
import { insertLoggedInUser, insertTestUser } from '../support/users.ts';

/** Returns all stored data, bytes as Latin-1. */
async function allStoredData({ url, directory }: TestDatabase): Promise<string> {
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

/** Returns the secret as text, in hex, and inside base64 at each of the three offsets where it can begin. */
function toEncodings(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret as string);
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const skipped = Math.ceil((before * 4) / 3);
    return (['base64', 'base64url'] as const).map((encoding) =>
      whole.toString(encoding).replace(/=+$/, '').slice(skipped, -1),
    );
  });
  return [bytes.toString('latin1'), bytes.toString('hex'), bytes.toString('utf16le'), ...inBase64];
}

/** Asserts that neither the database nor the log has one of these secrets. Returns the stored data, which has a known text. */
async function assertNotStored(
  { testDatabase, log }: TestService,
  secrets: readonly (string | Buffer)[],
  known: string,
): Promise<string> {
  const stored = await allStoredData(testDatabase);
  const logged = JSON.stringify(log);
  assert.ok(stored.includes(known), 'the searched data contains what is stored');
  for (const secret of secrets)
    for (const encoded of toEncodings(secret)) {
      assert.ok(!stored.includes(encoded), `${secret} is stored as ${encoded}`);
      assert.ok(!logged.includes(encoded), `${secret} is logged as ${encoded}`);
    }
  return stored;
}

describeOnSqlite('the database and the log', (engine) => {
  const service = useService(engine);

  test('the database and the log contain no password, token or Idempotency-Key in any encoding', async () => {
    const user = { name: 'Ada', email: 'ada@example.com', password: 'zebra crossing at noon' };
    const key = '0f8b6a52-retry-of-ada';
    const headers = { 'idempotency-key': key };
    const registration = await service.api.post('/api/register', user, { headers });
    const replay = await service.api.post('/api/register', user, { headers });
    assert.equal(replay.text, registration.text);
    const login = await service.api.post('/api/login', user);
    const wrong = 'giraffe crossing at night';
    await service.api.post('/api/login', { ...user, password: wrong });
    await service.api.get('/api/v1/me', { token: login.body.access_token });
    await service.api.get('/api/v1/me', { token: 'lion crossing at dawn' });
    await service.api.get('/api/v1/admin/dashboard', { token: 'lion crossing at dawn' });
    const tokens = [registration.body.access_token, login.body.access_token];
    const secrets = [user.password, wrong, ...tokens, key, 'lion crossing at dawn'];
    await assertNotStored(service, secrets, user.email);
  });

  test('the database and the log contain neither the administrator credential nor the token of a console session', async () => {
    const cookie = await signIn(service);
    const token = cookie.slice(cookie.indexOf('=') + 1);
    const wrong = 'tiger crossing at midnight';
    await service.api.post(SESSION_PATH, { credential: wrong }, fromConsole());
    assert.equal((await service.api.get('/api/v1/admin/dashboard', fromConsole(cookie))).status, 200);
    const stored = await assertNotStored(service, [token, ADMIN_TOKEN, wrong], hashToken(token));
    // Without the key, a fingerprint could be compared with those of candidates.
    for (const candidate of [ADMIN_TOKEN, `Bearer ${ADMIN_TOKEN}`]) {
      for (const encoding of ['hex', 'base64url'] as const)
        assert.ok(!stored.includes(hash('sha256', candidate, encoding)), 'stored as a plain hash');
    }
  });

  test('the database and the log contain no token that was created or rotated, also for retries', async () => {
    const user = await insertLoggedInUser(service.database);
    const headers = { 'idempotency-key': '7c1d-retry-of-a-token' };
    const request = { token: user.token, headers };
    const created = await service.api.post('/api/v1/tokens', { name: 'Nightly backup' }, request);
    const { id, access_token, first_characters } = created.body.data;
    const path = `/api/v1/tokens/${id}/rotate`;
    const rotated = await service.api.post(path, { overlap: 60 }, request);
    for (const response of [created, rotated]) assert.equal(response.status, 201);
    const replay = await service.api.post(path, { overlap: 60 }, request);
    assert.equal(replay.text, rotated.text);
    await service.api.get('/api/v1/me', { token: access_token });
    const tokens = [user.token, access_token, rotated.body.data.access_token];
    // Without the first characters, which are stored.
    const ends = tokens.map((token) => token.slice(12));
    const secrets = [...tokens, ...ends, headers['idempotency-key']];
    const stored = await assertNotStored(service, secrets, 'Nightly backup');
    assert.ok(stored.includes(first_characters));
  });

  test('the database and the log contain neither code of a device, also after it was confirmed', async () => {
    const application = await createApplication(service, { name: 'Desk of devices', device: true });
    const { device_code, user_code } = await beginDevice(service, application);
    const browser = createSignedInBrowser(service, await startSession(service));
    await browser.get(`/device/confirm?user_code=${user_code}`);
    await browser.submit('/device/allow', { user_code });
    const { access_token } = (await pollDevice(service, application, device_code)).body;
    const letters = user_code.replace('-', '');
    const secrets = [device_code, user_code, letters, access_token];
    const stored = await assertNotStored(service, secrets, hashToken(device_code));
    for (const hashed of [user_code, letters])
      for (const encoding of ['hex', 'base64url'] as const)
        assert.ok(!stored.includes(hash('sha256', hashed, encoding)), 'stored as a plain hash');
  });

  test('the database and the log contain no secret of a webhook, also for retries', async () => {
    const request = { token: ADMIN_TOKEN, headers: { 'idempotency-key': '7c1d-retry-of-a-webhook' } };
    const created = await service.api.post('/api/v1/webhooks', { url: 'https://example.com/' }, request);
    const { id, secret } = created.body.data;
    const rotated = await service.api.post(`/api/v1/webhooks/${id}/rotate-secret`, undefined, request);
    for (const response of [created, rotated]) assert.ok(response.status < 300);
    const texts = [secret, rotated.body.data.secret].map((text: string) => text.slice('whsec_'.length));
    const secrets = [...texts, ...texts.map((text) => Buffer.from(text, 'base64'))];
    await assertNotStored(service, secrets, 'https://example.com/');
  });

  test('the database and the log contain neither the private key of JSON Web Tokens nor such a token', async (context) => {
    const SECRET_KEY = 'a-secret-key-of-more-than-32-characters';
    const environment = { SECRET_KEY, PUBLIC_URL: 'https://id.example.com', JWT_AUDIENCES: 'orders' };
    const node = await openService(context, engine, { environment });
    const { database } = node;
    const { token } = await insertLoggedInUser(database);
    const issued = await node.api.post('/api/v1/tokens/jwt', undefined, { token });
    assert.equal(issued.status, 200);
    const [key] = await listSigningKeys(database);
    const { d, x } = JSON.parse(
      Buffer.from(createKeySeal(SECRET_KEY).unseal(key!.id, key!.private_key)).toString(),
    );
    await assertNotStored(node, [d, Buffer.from(d, 'base64url'), issued.body.token], x);
  });

  test('the database and the log contain no token of a link, while its message is being sent and afterwards', async (context) => {
    let token = '';
    const searched: string[] = [];
    const smtp = await startSmtpServer({
      onMessage: async ({ text = '' }) => {
        token = /\/account\/reset-password\/([0-9A-Za-z]{43})$/m.exec(text)?.[1] ?? '';
        searched.push(await allStoredData(mailing.testDatabase));
        return null;
      },
    });
    context.after(() => smtp.close());
    const mailing = await startService(engine, { environment: mailEnvironment(smtp) });
    const { database } = mailing;
    const { email } = await insertTestUser(database, { passwordHash: 'a hash' });
    await enqueue(database, { kind: 'reset_password', userId: null, email: email!, now: Date.now() });
    await smtp.waitFor(1);
    searched.push(await allStoredData(mailing.testDatabase), JSON.stringify(mailing.log));
    await mailing.stop();
    assert.equal(token.length, 43);
    assert.ok(searched[0]!.includes(email!), 'the searched data contains the message');
    for (const encoded of toEncodings(token)) assert.ok(!searched.join().includes(encoded), encoded);
  });
});
