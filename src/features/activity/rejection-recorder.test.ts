import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { insertLoggedInUser, insertTestToken } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { createLog } from '../../lib/log/log.ts';
import { HOUR } from '../../lib/time.ts';
import type { EventType } from '../events/event-types.ts';
import { recordCounts } from '../events/numbering/numbering.ts';
import { createRejectionRecorder } from './rejection-recorder.ts';

/** The hour of the events does not end for the service, which would record what was counted. */
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const COUNTED = sql<{ sum: number | null }>(
  'select sum(occurrences) as sum from event_counts where type = $1',
);
const CAUSES = sql<{ causes: number }>('select count(*) as causes from event_counts where type = $1');

describeOnSqlite('rejected requests as events', (engine) => {
  const service = useService(
    engine,
    limited(
      { RATE_LIMIT_LOGIN: '2/60', RATE_LIMIT_ADMIN_FAIL: '3/900', EVENTS_ADDRESS: 'full' },
      { clock: () => NOW },
    ),
  );
  const { database } = service;
  const countEvents = async (type: EventType) =>
    Number((await service.database.get(COUNTED, type))!.sum ?? 0);
  /** Returns the first event of the type from this address. */
  const findEvent = async (type: EventType, address: string) => {
    await numberAllEvents(service.database);
    const { body } = await service.api.get(`/api/v1/events?type=${type}`, admin);
    return body.data.find((event: { address: string }) => event.address === address);
  };

  test('logins that the limit of a network rejects are recorded with the reason limited and the network', async () => {
    const ip = newClientIp();
    const logIn = async () =>
      (await service.api.post('/api/login', { email: 'nobody@example.com', password: 'x' }, fromIp(ip)))
        .status;
    assert.deepEqual([await logIn(), await logIn()], [401, 401]);
    for (let index = 0; index < 4; index++) assert.equal(await logIn(), 429);
    await until(async () => (await countEvents('login.failed')) === 6, 'all logins are counted');
    const { body } = await service.api.get('/api/v1/events?type=login.failed', admin);
    const found = body.data.filter(({ reason }: { reason: string }) => reason === 'limited');
    assert.deepEqual(
      found.map(({ subject, address, outcome }: Record<string, string>) => [subject, address, outcome]),
      found.map(() => [null, ip, 'failure']),
    );
    const occurrences = found.reduce(
      (sum: number, event: { occurrences: number }) => sum + event.occurrences,
      0,
    );
    assert.equal(occurrences, 4);
  });

  test('wrong credentials of an administrator are recorded, in headers, from programs and at the sign-in to the console', async () => {
    const [ip, other] = [newClientIp(), newClientIp()];
    const wrong = { token: 'not-the-credential-of-the-administrator' };
    for (let index = 0; index < 5; index++) await service.api.get('/api/v1/events', fromIp(ip, wrong));
    const forwarded = { 'frontdesk-credential': 'wrong' };
    await service.api.get('/api/v1/me', fromIp(other, { headers: forwarded }));
    const { api } = service;
    const signIn = { 'x-frontdesk-console': '1', 'sec-fetch-site': 'same-origin' };
    await api.post('/console/session', { credential: 'wrong' }, fromIp(other, { headers: signIn }));
    await until(async () => (await countEvents('credential.rejected')) === 7, 'all are counted');
    for (const address of [ip, other]) {
      const event = await findEvent('credential.rejected', address);
      assert.deepEqual([event.subject, event.actor.type, event.outcome], [null, 'anonymous', 'failure']);
    }
    const before = await countEvents('credential.rejected');
    const { token } = await insertLoggedInUser(service.database);
    await api.get('/api/v1/me', fromIp(ip, { token: `${token}x` }));
    await api.get('/api/v1/events', { ...fromIp(ip), ...admin });
    assert.equal(await countEvents('credential.rejected'), before);
  });

  test('requests without a scope are recorded with the scope, the network and the credential or the user', async () => {
    const ip = newClientIp();
    const { secret, record } = await createCredential(service, ['users:read']);
    const user = await insertLoggedInUser(database);
    const { token } = await insertTestToken(database, user.id, { scopes: 'self:read' });
    const denied = [
      await service.api.get('/api/v1/events', fromIp(ip, { token: secret })),
      await service.api.post(
        '/api/v1/users/batch',
        { operations: [{ action: 'disable', id: user.id }] },
        fromIp(ip, { token: secret }),
      ),
      await service.api.delete('/api/v1/tokens', fromIp(ip, { token })),
    ];
    assert.deepEqual(
      denied.map(({ status, body }) => [status, body.code]),
      denied.map(() => [403, 'insufficient_scope']),
    );
    await until(async () => (await countEvents('access.denied')) === 3, 'all are counted');
    await numberAllEvents(database);
    const { body } = await service.api.get('/api/v1/events?type=access.denied', admin);
    const found = body.data.map(({ subject, reason, actor, address }: Record<string, unknown>) => [
      subject,
      reason,
      (actor as { id: string }).id,
      address,
    ]);
    assert.deepEqual(
      new Set(found.map(String)),
      new Set(
        [
          [`credential:${record.id}`, 'events:read', record.id, ip],
          [`credential:${record.id}`, 'users:write', record.id, ip],
          [`user:${user.id}`, 'tokens:manage', user.id, ip],
        ].map(String),
      ),
    );
  });

  test('a flood of rejected requests is one event at first and one of the rest, for each cause', async () => {
    const clock = manualClock(NOW);
    const settings = { current: { eventsAddress: 'full' } } as never;
    const recorder = createRejectionRecorder({ database, clock, logger: createLog('silent'), settings });
    const ip = '192.0.2.9';
    for (let second = 0; second < 3; second++) {
      for (let index = 0; index < 500; index++) recorder.credentialRejected(ip);
      clock.now += 1_000;
      await recorder.flush();
    }
    await database.transaction((tx) => recordCounts(tx, clock.now + HOUR, 100));
    await numberAllEvents(database);
    const { body } = await service.api.get('/api/v1/events?type=credential.rejected', admin);
    const found = body.data.filter(({ address }: { address: string }) => address === ip);
    assert.deepEqual(
      found.map(({ occurrences, outcome }: Record<string, unknown>) => [occurrences, outcome]),
      [
        [1_499, 'failure'],
        [1, 'failure'],
      ],
    );
  });

  test('rejected requests from very many networks are counted together', async () => {
    const clock = manualClock(NOW);
    const settings = { current: { eventsAddress: 'full' } } as never;
    const recorder = createRejectionRecorder({ database, clock, logger: createLog('silent'), settings });
    const count = async () => Number((await database.get(CAUSES, 'credential.rejected'))!.causes);
    const before = [await count(), await countEvents('credential.rejected')];
    for (let index = 0; index < 1_300; index++)
      recorder.credentialRejected(`10.1.${index >> 8}.${index & 255}`);
    await recorder.flush();
    const after = [await count(), await countEvents('credential.rejected')];
    assert.equal(after[1]! - before[1]!, 1_300);
    assert.ok(after[0]! - before[0]! <= 1_001, String(after[0]));
  });
});
