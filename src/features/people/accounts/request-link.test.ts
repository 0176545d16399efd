import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable } from '../../../../test/support/api.ts';
import { fromIp, limited, newClientIp } from '../../../../test/support/limits.ts';
import {
  createTestLink,
  listEvents,
  logIn,
  waitingKinds,
  waitingMail,
} from '../../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, useService, useSharedService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { readDropped } from '../../mail/messages/end-message.ts';
import { MAX_UNDELIVERED } from '../sign-in/mailed-codes.ts';

const DELETE_MAIL = sql('delete from jobs');

for (const [path, kind] of [
  ['/api/v1/password-resets', 'reset_password'],
  ['/api/v1/email-verifications', 'verify_email'],
] as const) {
  describeOnSqlite(`POST ${path}`, (engine) => {
    const service = useSharedService(engine);
    const request = (email: unknown) => service.api.post(path, { email });

    test(`POST ${path} returns the same 202 for every address and queues a message to each`, async () => {
      const known = await register(service);
      const disabled = await register(service);
      await service.api.patch(`/api/v1/users/${disabled.id}`, { state: 'disabled' }, editor);
      const { email: unclaimed } = await createUnclaimedUser(service);
      const unknown = newUserData().email;
      const expected = comparable(await request(unknown));
      assert.equal(expected.status, 202);
      assert.match(expected.text, /^\{"message":"If an account has this email[^"]*"\}$/);
      for (const email of [known.email, disabled.email, unclaimed, ` ${known.email.toUpperCase()} `]) {
        assert.deepEqual(comparable(await request(email)), expected, email);
      }
      const queued = { kind, user_id: null, data: '{}' };
      for (const email of [unknown, known.email, disabled.email, unclaimed, known.email.toUpperCase()]) {
        const requested = (await waitingMail(service, email)).filter((mail) => mail.user_id === null);
        assert.deepEqual(requested, [queued], email);
      }
    });

    test(`POST ${path} changes nothing about the account`, async () => {
      const person = await register(service);
      const link = await createTestLink(service, 'reset_password', { user: person });
      await request(person.email);
      assert.equal((await service.api.get('/api/v1/me', { token: person.token })).status, 200);
      assert.equal((await logIn(service, person)).status, 200);
      assert.deepEqual(await listEvents(service, person.id), [
        'user.created by user',
        'login.succeeded by user',
      ]);
      const password = 'paper lantern under the bridge';
      const reset = await service.api.post(`/api/v1/password-resets/${link}`, { password });
      assert.equal(reset.status, 200, 'an earlier link stays valid');
    });

    test(`POST ${path} stores 100 requests at most where nothing is sent, and then only counts them`, async () => {
      const { database } = service;
      await database.transaction((tx) => tx.run(DELETE_MAIL));
      const dropped = await readDropped(database);
      const expected = comparable(await request(newUserData().email));
      await database.transaction(async (tx) => {
        for (let number = 1; number < MAX_UNDELIVERED; number++)
          await enqueueMail(tx, { kind, userId: null, email: newUserData().email, now: Date.now() });
      });
      const email = newUserData().email;
      for (const address of [email, newUserData().email])
        assert.deepEqual(comparable(await request(address)), expected);
      assert.deepEqual(await waitingMail(service, email), []);
      assert.equal((await readDropped(database)) - dropped, 2);
      const person = await register(service);
      assert.deepEqual(await waitingKinds(service, person.email), ['verify_email'], 'users are not affected');
      await database.transaction((tx) => tx.run(DELETE_MAIL));
    });
  });
}

describeOnSqlite('an account under attack', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_LOGIN_ACCOUNT: '2/3600' }));

  test('an account under attack admits its owner from a new network after a password reset', async () => {
    const person = await register(service);
    const logInFrom = async (clientIp: string, password: string) =>
      (await service.api.post('/api/login', { ...person, password }, fromIp(clientIp))).status;
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.equal(await logInFrom(newClientIp(), 'a wrong password'), 401);
    }
    const clientIp = newClientIp();
    assert.equal(await logInFrom(clientIp, person.password), 429);
    const password = 'paper lantern under the bridge';
    const link = await createTestLink(service, 'reset_password', { user: person });
    const path = `/api/v1/password-resets/${link}`;
    assert.equal((await service.api.post(path, { password }, fromIp(clientIp))).status, 200);
    assert.equal(await logInFrom(clientIp, password), 200);
  });
});
