import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/database/open.ts';
import { insertCode } from '../../src/features/oauth/queries.ts';
import { createSignInSessions } from '../../src/features/people/sign-in/sessions.ts';
import { listLiveTokens } from '../../src/features/people/tokens/queries.ts';
import { findUser } from '../../src/features/users/records/queries.ts';
import { hashToken, newRandomToken } from '../../src/lib/secrets/tokens.ts';
import { CHALLENGE, createApplication, exchange, REDIRECT_URI } from '../support/applications.ts';
import { startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnEachEngine } from '../support/runner/engines.ts';
import { insertTestUser } from '../support/users.ts';

const KILLS = 50;
/** Duration of an exchange, so that a kill may happen at each of its steps. */
const EXCHANGE_MS = 15;

describeOnEachEngine('exchanges of codes', (engine) => {
  test(`of ${KILLS} codes, each is exchanged for one token at most, and no acknowledged one is lost, when the service is killed meanwhile`, async (context) => {
    const testDatabase = await createTestDatabase(engine);
    context.after(() => testDatabase.remove());
    let service = await startProcess(testDatabase);
    const application = await createApplication(service);
    const open = () =>
      openDatabase({ databaseUrl: testDatabase.url, dataDir: testDatabase.directory, databasePool: 1 });
    for (let kill = 0; kill < KILLS; kill++) {
      const database = open();
      const { id: userId } = await insertTestUser(database);
      const code = newRandomToken();
      const now = Date.now();
      await database.transaction(async (tx) => {
        const user = (await findUser(tx, userId))!;
        const sessions = createSignInSessions({ database, clock: Date.now, publicUrl: '', cookieTag: '' });
        const admitted = { user, amr: ['pwd'], authenticatedAt: now } as const;
        const { session } = await sessions.start(tx, admitted, {});
        await insertCode(tx, {
          hash: hashToken(code),
          application_id: application.id,
          user_id: userId,
          session_id: session.id,
          redirect_uri: REDIRECT_URI,
          challenge: CHALLENGE,
          scopes: 'self:read',
          nonce: null,
          amr: 'pwd',
          authenticated_at: now,
          created_at: now,
          expires_at: now + 60_000,
        });
      });
      await database.close();
      const response = exchange(service, application, { code }).catch(() => undefined);
      await pause(Math.random() * EXCHANGE_MS);
      await service.kill('SIGKILL');
      const token = (await response)?.body?.access_token;
      service = await startProcess(testDatabase);
      if (token !== undefined)
        assert.equal((await service.api.get('/api/v1/me', { token })).status, 200, `kill ${kill}`);
      const reader = open();
      const tokens = await listLiveTokens(reader, userId, Date.now()).finally(() => reader.close());
      assert.ok(tokens.length <= 1 && (token === undefined || tokens.length === 1));
      const second = await exchange(service, application, { code });
      assert.equal(second.status, tokens.length === 0 ? 200 : 400);
    }
    await service.kill('SIGTERM');
  });
});
