import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, PRODUCTION_HASHES, useService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { HOUR } from '../../../lib/time.ts';
import { recordCounts } from '../../events/numbering/numbering.ts';
import { recordEvent } from '../../events/record-event.ts';
import { verifyChain } from '../../events/verify/verify-chain.ts';
import { enqueueDeliveries } from '../../webhooks/deliveries/enqueue-deliveries.ts';
import { createDeleteOfErased } from '../../webhooks/housekeeping/queries.ts';

const MENTIONING = sql<{ type: string; network: string | null; device: string | null }>(`
  select type, network, device from events where actor_id = $1 or subject = 'user:' || $1 order by id`);
const CREATED = sql<{
  actor: string;
  actor_id: string | null;
  network: string | null;
  device: string | null;
}>(`
  select actor, actor_id, network, device from events where subject = 'user:' || $1 and type = 'user.created'`);
const SUBJECT = sql<{ sequence: number }>(
  "select sequence from event_subjects where subject = 'user:' || $1",
);
const FINISH = sql("update webhook_deliveries set state = 'delivered', finished_at = 1 where type <> $1");
const RESPOND = sql(`
  insert into webhook_attempts (delivery_id, attempt, at, duration_ms, line, response)
  select id, 1, 1, 1, 'Ada', '{"body":"Ada"}' from webhook_deliveries`);
const RESPONSES = sql<{ subject: string }>(`
  select subject from webhook_deliveries join webhook_attempts on delivery_id = id
  where response is not null or line is not null`);
const DELIVERIES = sql<{ type: string; subject: string }>(
  'select type, subject from webhook_deliveries order by type',
);

describeOnEachEngine('the erasure of a user', (engine) => {
  const service = useService(engine, PRODUCTION_HASHES);
  const { database } = service;
  const erase = async (id: string) =>
    assert.equal((await service.api.delete(`/api/v1/users/${id}`, admin)).status, 204);
  const findFindings = async () => {
    await numberAllEvents(database);
    const findings: string[] = [];
    // Without the key, no mark is the expected one.
    const options = { after: null, noted: null, mark: () => '-'.repeat(22), before: 0 };
    await verifyChain(database, options, (problem) => findings.push(problem));
    return findings.filter((problem) => ['content', 'personal_data', 'digest'].includes(problem));
  };

  test('an erasure deletes address, device and id from what the user has done to others, and the chain stays valid', async () => {
    const [user, other] = [await insertLoggedInUser(database), await insertLoggedInUser(database)];
    const create = async ({ token }: { token: string }) =>
      (await service.api.post('/api/v1/users', { name: 'A record' }, { token })).body.data.id as string;
    const [created, kept] = [await create(user), await create(other)];
    await numberAllEvents(database);
    const [before] = await database.all(CREATED, created);
    assert.equal(before!.actor_id, user.id);
    await erase(user.id);
    const after = (await database.all(CREATED, created)).map((row) => ({ ...row }));
    assert.deepEqual(after, [{ actor: 'user', actor_id: null, network: null, device: null }]);
    assert.equal((await database.all(CREATED, kept))[0]!.actor_id, other.id);
    assert.deepEqual(await findFindings(), []);
  });

  test('an edited id of a user who has acted on another subject is found', async () => {
    const user = await insertLoggedInUser(database);
    const { body } = await service.api.post('/api/v1/users', { name: 'A record' }, { token: user.token });
    const write = (id: string) =>
      database.transaction((tx) =>
        tx.run(sql('update events set actor_id = $1 where subject = $2'), id, `user:${body.data.id}`),
      );
    await numberAllEvents(database);
    await write(newId());
    assert.equal((await findFindings()).length, 1);
    await write(user.id);
    assert.deepEqual(await findFindings(), []);
  });

  test('a login that fails while its user is erased is recorded without the user', async () => {
    const { id, email } = await register(service);
    const attempts = Array.from({ length: 4 }, () =>
      service.api.post('/api/v1/login', { email, password: 'not this one' }),
    );
    // The others are being hashed then.
    await Promise.race(attempts);
    await erase(id);
    await Promise.all(attempts);
    await numberAllEvents(service.database);
    const events = await service.database.all(MENTIONING, id);
    assert.equal(events.at(-1)!.type, 'user.erased');
    for (const { type, network, device } of events.slice(0, -1))
      assert.deepEqual([type, network, device], [type, null, null]);
  });

  test('events and counts that are recorded after the erasure do not contain the user', async () => {
    const { id } = await insertLoggedInUser(database);
    const now = Date.now();
    const failure = { type: 'login.failed', outcome: 'failure', userId: id, mayBeErased: true } as const;
    const fail = (at: number, count: number) =>
      database.transaction(async (tx) => {
        for (let made = 0; made < count; made++)
          await recordEvent(tx, { ...failure, actor: 'anonymous', reason: 'wrong_password', now: at });
      });
    await fail(now - 3 * HOUR, 12);
    await erase(id);
    const before = (await database.all(MENTIONING, id)).length;
    await fail(now, 1);
    await database.transaction((tx) => recordCounts(tx, now, 100));
    assert.equal((await database.all(MENTIONING, id)).length, before);
  });

  test('nothing but events and a delivery of the erasure contains the id of an erased user', async () => {
    const { id, token } = await insertLoggedInUser(database);
    const { id: kept } = await insertLoggedInUser(database);
    await service.api.patch('/api/v1/me', { name: 'Another' }, { token });
    await numberAllEvents(database);
    assert.ok((await database.get(SUBJECT, id)) !== undefined);
    await erase(id);
    await numberAllEvents(database);
    assert.equal(await database.get(SUBJECT, id), undefined);
    const now = Date.now();
    const events = ['email.verified', 'token.created', 'user.erased'].flatMap((type) =>
      [id, kept].map((each) => ({
        id: newId(),
        number: 1,
        type,
        subject: `user:${each}`,
        sequence: 1,
        created_at: now,
      })),
    );
    await database.transaction(async (tx) => {
      await enqueueDeliveries(tx, { endpointId: newId(), now }, events as never);
      await tx.run(FINISH, 'token.created');
      await tx.run(RESPOND);
    });
    const sweep = createDeleteOfErased();
    assert.equal(await database.transaction((tx) => sweep(tx, now, 4)), 4);
    assert.equal(await database.transaction((tx) => sweep(tx, now, 4)), 2);
    const left = (await database.all(DELIVERIES)).filter(({ subject }) => subject === `user:${id}`);
    // The pending one is sent first.
    assert.deepEqual(pluck(left, 'type'), ['token.created', 'user.erased']);
    assert.equal((await database.all(DELIVERIES)).length, 5);
    // Receivers may have written personal data into their responses, also to the erasure.
    const responses = await database.all(RESPONSES);
    assert.deepEqual(new Set(responses.map(({ subject }) => subject)), new Set([`user:${kept}`]));
  });
});
