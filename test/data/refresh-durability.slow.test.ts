import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { refresh, signInOffline } from '../support/applications.ts';
import { openTestDatabase } from '../support/database.ts';
import { startProcess } from '../support/processes/process.ts';
import { describeOnEachEngine } from '../support/runner/engines.ts';
import type { TestService } from '../support/service.ts';

const KILLS = 50;
/** Duration of a use, so that a kill may happen at each of its steps. */
const USE_MS = 15;
/** The grace period begins anew: a restart may take longer. */
const BEGIN_GRACE = sql('update refresh_tokens set rotated_at = $1 where rotated_at is not null');
const END_GRACE = sql('update refresh_tokens set rotated_at = rotated_at - 30000');

describeOnEachEngine('uses of refresh tokens', (engine) => {
  test(`after each of ${KILLS} kills during a use, the client that repeats it goes on, and a thief who comes later ends all`, async (context) => {
    const testDatabase = await openTestDatabase(context, engine);
    let service = await startProcess(testDatabase, { RATE_LIMIT_LOGIN: 'off' });
    const withDatabase = async <T>(work: (database: ReturnType<typeof openDatabase>) => Promise<T>) => {
      const { url: databaseUrl, directory: dataDir } = testDatabase;
      const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
      return work(database).finally(() => database.close());
    };
    let lost = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const signedIn = await withDatabase((database) =>
        signInOffline({ api: service.api, service: { database } } as TestService),
      );
      const response = refresh(service, signedIn).catch(() => undefined);
      await pause(Math.random() * USE_MS);
      await service.kill('SIGKILL');
      const received = (await response)?.body?.refresh_token;
      if (received === undefined) lost++;
      service = await startProcess(testDatabase, { RATE_LIMIT_LOGIN: 'off' });
      await withDatabase((database) => database.transaction((tx) => tx.run(BEGIN_GRACE, Date.now())));
      const { status, body } = await refresh(service, signedIn);
      assert.equal(status, 200, `kill ${kill}`);
      if (received !== undefined) assert.equal(body.refresh_token, received);
      const token = body.refresh_token;
      await withDatabase((database) => database.transaction((tx) => tx.run(END_GRACE)));
      assert.equal((await refresh(service, signedIn)).status, 400, 'a thief goes on');
      assert.equal((await refresh(service, { ...signedIn, token })).status, 400);
      const me = await service.api.get('/api/v1/me', { token: body.access_token });
      assert.equal(me.status, 401);
    }
    context.diagnostic(`${lost} responses were lost`);
    await service.kill('SIGTERM');
  });
});
