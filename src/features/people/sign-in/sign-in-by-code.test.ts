import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { limited, manualClock, newClientIp } from '../../../../test/support/limits.ts';
import {
  readMailedCodes,
  requestCode,
  requestMailedCode,
  sendCode,
  toWrongCode,
  WITH_CODES,
} from '../../../../test/support/mailed-codes.ts';
import { listEvents, logIn } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { editor, newUserData, useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS } from '../../../../test/support/totp.ts';
import { ANSWER_PATH, registerWithTotp } from '../../../../test/support/user-totp.ts';
import { createUnclaimedUser, markEmailVerified, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';

const STORED = sql<Record<string, unknown>>('select * from sign_in_codes');
const SET_EMAIL = sql('update users set email = $2, email_key = $2 where id = $1');
const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_ANON: 'off', RATE_LIMIT_LOGIN_CODE: 'off' };
const outcome = ({ status, body }: ApiResponse) => [status, body.code];
const REJECTED = [401, 'invalid_email_code'];

describeOnEachEngine('a login with a mailed code', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, limited({ ...WITH_CODES, ...off }, { clock }));
  const request = (email: string) => requestMailedCode(service, email);
  const send = (challenge: string, code: string) => sendCode(service, challenge, { code });
  const newPerson = async () => {
    const person = await register(service);
    await markEmailVerified(service, person.id);
    return person;
  };

  test('a mailed code logs in once, however it is typed', async () => {
    const person = await newPerson();
    const { challenge, code } = await request(person.email);
    assert.match(code, /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    const { status, body, headers } = await send(challenge, ` ${code.toLowerCase().replace('-', ' ')} `);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in']);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await service.api.get('/api/v1/me', { token: body.access_token })).status, 200);
    assert.deepEqual(outcome(await send(challenge, code)), REJECTED);
    assert.equal((await logIn(service, person)).status, 200, 'the password stays');
    const events = await listEvents(service, person.id);
    assert.equal(events.filter((event) => event === 'login.succeeded by user').length, 2);
  });

  test('one of 20 concurrent right answers logs in', async () => {
    const { challenge, code } = await request((await newPerson()).email);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(challenge, code)));
    const counts = Map.groupBy(responses, ({ status }) => status);
    assert.deepEqual([counts.get(200)?.length, counts.get(401)?.length], [1, 19]);
  });

  test('one of 20 concurrent requests for a code mails it, and all have its challenge', async () => {
    const { email } = await newPerson();
    const challenges = await Promise.all(Array.from({ length: 20 }, () => requestCode(service, email)));
    assert.equal(new Set(challenges).size, 1);
    assert.equal((await readMailedCodes(service, email)).length, 1);
  });

  test('a code has five tries, also at the same time, and ten minutes', async () => {
    const { email, id } = await newPerson();
    const { challenge, code } = await request(email);
    const wrong = await Promise.all(Array.from({ length: 5 }, () => send(challenge, toWrongCode(code))));
    assert.ok(wrong.every((response) => response.status === 401));
    assert.deepEqual(outcome(await send(challenge, code)), REJECTED);
    assert.ok((await listEvents(service, id)).includes('login.failed (wrong_email_code) by anonymous'));
    const late = await request((await newPerson()).email);
    clock.now += 10 * MINUTE;
    assert.deepEqual(outcome(await send(late.challenge, late.code)), REJECTED);
  });

  test('another code for an address and network ends the one before; one that was requested elsewhere stays', async () => {
    const { email } = await newPerson();
    const elsewhere = await requestMailedCode(service, email, newClientIp());
    const first = await request(email);
    clock.now += MINUTE;
    const second = await request(email);
    assert.notEqual(second.code, first.code);
    assert.deepEqual(outcome(await send(first.challenge, first.code)), REJECTED);
    assert.equal((await send(second.challenge, second.code)).status, 200);
    assert.equal((await send(elsewhere.challenge, elsewhere.code)).status, 200);
  });

  test('a code is bound to its challenge', async () => {
    const [one, other] = [await request((await newPerson()).email), await request((await newPerson()).email)];
    for (const challenge of [other.challenge, 'x', 'x'.repeat(43)])
      assert.deepEqual(outcome(await send(challenge, one.code)), REJECTED);
    assert.equal((await send(one.challenge, one.code)).status, 200);
  });

  test('a code proves no second factor: its user gets a challenge for it, and no token', async () => {
    const person = await registerWithTotp(service, clock.now);
    clock.now += STEP_MS;
    const { challenge, code } = await request(person.email);
    // The form may be sent twice before its response is seen.
    for (const _ of [1, 2]) {
      const response = await send(challenge, code);
      assert.deepEqual(outcome(response), [403, 'second_factor_required']);
      assert.equal(response.body.access_token, undefined);
    }
    const { body } = await send(challenge, code);
    const answer = { challenge: body.challenge, code: codeAt(person.appSecret, clock.now) };
    assert.equal((await service.api.post(ANSWER_PATH, answer)).status, 200);
  });

  test('the first code verifies the address, and ends what others may have used before: password, tokens and sessions', async () => {
    const person = await register(service);
    const { challenge, code } = await request(person.email);
    const { status, body } = await send(challenge, code);
    assert.equal(status, 200);
    const { data } = (await service.api.get('/api/v1/me', { token: body.access_token })).body;
    assert.notEqual(data.email_verified_at, null);
    assert.equal((await service.api.get('/api/v1/me', { token: person.token })).status, 401);
    assert.equal((await logIn(service, person)).status, 401);
    assert.ok((await listEvents(service, person.id)).includes('email.verified by user'));
  });

  test('a code claims the account that the administrator has created without a password, not a record of others', async () => {
    const user = await createUnclaimedUser(service);
    const { challenge, code } = await request(user.email!);
    assert.equal((await send(challenge, code)).status, 200);
    const { data } = (await service.api.get(`/api/v1/users/${user.id}`, editor)).body;
    assert.equal(data.state, 'active');
    assert.notEqual(data.email_verified_at, null);
    assert.ok((await listEvents(service, user.id)).includes('user.claimed by user'));
    const { name, email } = newUserData();
    assert.equal((await service.api.post('/api/v1/users', { name, email })).status, 201);
    const ofOthers = await request(email);
    assert.deepEqual(outcome(await send(ofOthers.challenge, ofOthers.code)), REJECTED);
  });

  test('responses are the same for known, unknown and disabled addresses, whose right code logs nobody in', async () => {
    const disabled = await newPerson();
    await service.api.patch(`/api/v1/users/${disabled.id}`, { state: 'disabled' }, editor);
    const texts = new Set<string>();
    for (const email of [newUserData().email, disabled.email]) {
      const { challenge, code } = await request(email);
      assert.match(challenge, /^\w{43}$/);
      for (const tried of [toWrongCode(code), code]) {
        const response = await send(challenge, tried);
        assert.deepEqual(outcome(response), REJECTED, email);
        texts.add(response.text);
      }
    }
    const { challenge, code } = await request((await newPerson()).email);
    texts.add((await send(challenge, toWrongCode(code))).text);
    assert.equal(texts.size, 1);
  });

  test('a code ends when the account gets another address, or is disabled', async () => {
    const [moved, disabled] = [await newPerson(), await newPerson()];
    const codes = [await request(moved.email), await request(disabled.email)];
    await service.database.transaction((tx) => tx.run(SET_EMAIL, moved.id, newUserData().email));
    await service.api.patch(`/api/v1/users/${disabled.id}`, { state: 'disabled' }, editor);
    for (const { challenge, code } of codes) assert.deepEqual(outcome(await send(challenge, code)), REJECTED);
  });

  test('neither codes nor challenges are stored', async () => {
    const { challenge, code } = await request((await newPerson()).email);
    const stored = JSON.stringify(await service.database.all(STORED));
    for (const secret of [challenge, code, code.replace('-', '')]) assert.ok(!stored.includes(secret));
  });
});

describeOnSqlite('EMAIL_CODE_SIGN_IN', (engine) => {
  const { EMAIL_CODE_SIGN_IN, ...environment } = WITH_CODES;
  const service = useService(engine, { environment });
  const set = (value: string | null) =>
    service.api.patch('/api/v1/admin/settings', { EMAIL_CODE_SIGN_IN: value }, editor);

  test('codes are requested and accepted only while EMAIL_CODE_SIGN_IN is on, which it is not by default', async () => {
    const { email } = await register(service);
    const closed = async (challenge = 'x', code = 'x') => {
      assert.equal((await service.api.post('/api/v1/login/codes', { email })).status, 403);
      assert.equal((await sendCode(service, challenge, { code })).status, 403);
    };
    await closed();
    assert.equal((await set(EMAIL_CODE_SIGN_IN)).status, 200);
    const { challenge, code } = await requestMailedCode(service, email);
    await set(null);
    await closed(challenge, code);
    await set(EMAIL_CODE_SIGN_IN);
    assert.equal((await sendCode(service, challenge, { code })).status, 200);
  });
});
