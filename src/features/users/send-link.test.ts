import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPrepareMail } from '../../../test/support/mail.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { listEvents, waitingMail } from '../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, useSharedService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { MINUTE } from '../../lib/time.ts';
import { findDueMail, type MailRow } from '../mail/queries.ts';

const VERIFY = sql('update users set email_verified_at = 1 where id = $1');
const KINDS = ['claim_account', 'reset_password', 'verify_email'] as const;

describeOnSqlite('POST /api/v1/users/{id}/links', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;
  const send = (id: string, body: unknown, credential: object = admin) =>
    service.api.post(`/api/v1/users/${id}/links`, body, credential);
  const insertActive = () => insertTestUser(service.database);
  const conflicts = async (id: string, kind: string, error: string) => {
    const { status, body } = await send(id, { kind });
    assert.deepEqual([status, body], [409, { error, code: 'user_state_conflict' }], kind);
  };

  test('POST /api/v1/users/{id}/links queues another message to claim an unclaimed account', async () => {
    const { id, email } = await createUnclaimedUser(service);
    const { status, body } = await send(id, { kind: 'claim_account' });
    assert.deepEqual([status, body], [202, { message: 'The link will be sent' }]);
    const message = { kind: 'claim_account', user_id: id, data: '{}' };
    assert.deepEqual(await waitingMail(service, email), [message, message]);
  });

  for (const kind of ['reset_password', 'verify_email']) {
    test(`POST /api/v1/users/{id}/links queues a message of the kind ${kind} to an active user`, async () => {
      const { id, email } = await insertActive();
      assert.equal((await send(id, { kind })).status, 202);
      assert.deepEqual(await waitingMail(service, email), [{ kind, user_id: id, data: '{}' }]);
      assert.deepEqual(await listEvents(service, id), ['link.requested by administrator']);
    });
  }

  test('the administrator can send a link even if others have requested as many as an address gets in an hour', async () => {
    const { id, email } = await insertActive();
    for (let count = 0; count < 4; count++) {
      assert.equal((await service.api.post('/api/v1/password-resets', { email })).status, 202);
    }
    assert.equal((await send(id, { kind: 'reset_password' })).status, 202);
    const prepare = createTestPrepareMail();
    const now = Date.now() + MINUTE;
    const due = await findDueMail(database, now, 10_000);
    const own = due.filter((mail: MailRow) => mail.email === email);
    assert.deepEqual(pluck(own, 'user_id'), [null, null, null, null, id]);
    const outcomes: (string | null)[] = [];
    for (const mail of own) {
      const prepared = await database.transaction((tx) => prepare(tx, mail, now));
      if (typeof prepared === 'string' || prepared === null) outcomes.push(prepared);
      else outcomes.push((await prepared.compose()).kind);
    }
    const sent = 'reset_password';
    assert.deepEqual(outcomes, [sent, sent, sent, 'over_limit', sent]);
  });

  test('POST /api/v1/users/{id}/links rejects kinds that do not fit the state of the user with 409', async () => {
    const unclaimed = await createUnclaimedUser(service);
    const active = await insertActive();
    const disabled = await insertTestUser(database, { state: 'disabled' });
    await conflicts(unclaimed.id, 'reset_password', 'The user is not active');
    await conflicts(unclaimed.id, 'verify_email', 'The user is not active');
    await conflicts(active.id, 'claim_account', 'The account is claimed already');
    await conflicts(disabled.id, 'claim_account', 'The account is claimed already');
    await conflicts(disabled.id, 'reset_password', 'The user is not active');
    await conflicts(disabled.id, 'verify_email', 'The user is not active');
    await database.transaction((tx) => tx.run(VERIFY, active.id));
    await conflicts(active.id, 'verify_email', 'The email is verified already');
    for (const { email } of [active, disabled]) assert.deepEqual(await waitingMail(service, email), []);
    assert.equal((await waitingMail(service, unclaimed.email)).length, 1);
  });

  test('POST /api/v1/users/{id}/links rejects a record that does not own its email with 409', async () => {
    const { email } = newUserData();
    const { id } = (await service.api.post('/api/v1/users', { email })).body.data;
    const bare = (await service.api.post('/api/v1/users', {})).body.data;
    for (const kind of KINDS) await conflicts(id, kind, 'The record does not own its email');
    await createUnclaimedUser(service, { email });
    for (const kind of KINDS) {
      await conflicts(id, kind, 'The record does not own its email');
      await conflicts(bare.id, kind, 'The record does not own its email');
    }
    assert.equal((await waitingMail(service, email)).length, 1);
  });
});
