import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { decideDevice, insertDevice } from '../../src/features/oauth/device/queries.ts';
import { insertCode } from '../../src/features/oauth/queries.ts';
import { createSignInSessions } from '../../src/features/people/sign-in/sessions.ts';
import { listLiveTokens } from '../../src/features/people/tokens/queries.ts';
import { findUser } from '../../src/features/users/records/queries.ts';
import { hashToken, newRandomToken } from '../../src/lib/secrets/tokens.ts';
import {
  CHALLENGE,
  createApplication,
  exchange,
  REDIRECT_URI,
  type TestApplication,
} from '../support/applications.ts';
import { openTestDatabase } from '../support/database.ts';
import { pollDevice } from '../support/devices.ts';
import { startProcess } from '../support/processes/process.ts';
import { describeOnEachEngine, untilUnused } from '../support/runner/engines.ts';
import type { TestService } from '../support/service.ts';
import { insertTestUser } from '../support/users.ts';

const KILLS = 50;
/** Duration of an exchange, so that a kill may happen at each of its steps. */
const EXCHANGE_MS = 15;
/** Lifetime of a code: longer than a restart takes on a busy machine. */
const LIFETIME_MS = 600_000;

interface Stored {
  readonly hash: string;
  readonly application_id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly now: number;
}

const CODES = {
  store: (tx: Tx, { now, ...stored }: Stored) =>
    insertCode(tx, {
      ...{ ...stored, redirect_uri: REDIRECT_URI, challenge: CHALLENGE, scopes: 'self:read', nonce: null },
      ...{ amr: 'pwd', authenticated_at: now, created_at: now, expires_at: now + LIFETIME_MS },
    }),
  exchange: (service: Pick<TestService, 'api'>, application: TestApplication, code: string) =>
    exchange(service, application, { code }),
};

/** A device that its person has allowed. */
const DEVICES: typeof CODES = {
  async store(tx, { hash, application_id, user_id, session_id, now }) {
    const user_code_hash = hash;
    await insertDevice(tx, {
      ...{ hash, user_code_hash, application_id, scopes: 'self:read', interval_seconds: 5 },
      ...{ device: null, network: null, created_at: now, expires_at: now + LIFETIME_MS },
    });
    const person = { user_id, session_id, amr: 'pwd', authenticated_at: now };
    return (await decideDevice(tx, { user_code_hash, allowed: 1, now, ...person })) !== undefined;
  },
  exchange: pollDevice,
};

describeOnEachEngine('exchanges of codes', (engine) => {
  for (const [kind, { store, exchange }] of Object.entries({ codes: CODES, 'codes of devices': DEVICES }))
    test(`of ${KILLS} ${kind}, each is exchanged for one token at most, and no acknowledged one is lost, when the service is killed meanwhile`, async (context) => {
      const testDatabase = await openTestDatabase(context, engine);
      let service = await startProcess(testDatabase);
      const application = await createApplication(service, { device: true });
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
          const { session } = await sessions.start(tx, admitted, { headers: {}, url: '', body: undefined });
          const ids = { application_id: application.id, user_id: userId, session_id: session.id };
          assert.ok(await store(tx, { hash: hashToken(code), ...ids, now }));
        });
        await database.close();
        const response = exchange(service, application, code).catch(() => undefined);
        await pause(Math.random() * EXCHANGE_MS);
        await service.kill('SIGKILL');
        await untilUnused(testDatabase);
        const token = (await response)?.body?.access_token;
        service = await startProcess(testDatabase);
        if (token !== undefined)
          assert.equal((await service.api.get('/api/v1/me', { token })).status, 200, `kill ${kill}`);
        const reader = open();
        const tokens = await listLiveTokens(reader, userId, Date.now()).finally(() => reader.close());
        assert.ok(tokens.length <= 1 && (token === undefined || tokens.length === 1));
        const second = await exchange(service, application, code);
        assert.equal(second.status, tokens.length === 0 ? 200 : 400);
      }
      await service.kill('SIGTERM');
    });
});
