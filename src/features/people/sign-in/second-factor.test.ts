import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../../test/support/limits.ts';
import { listEvents } from '../../../../test/support/processes/recovery.ts';
import {
  describeOnEachEngine,
  describeOnSqlite,
  type Engine,
} from '../../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS, wrongCodeAt } from '../../../../test/support/totp.ts';
import { ANSWER_PATH, getChallenge, registerWithTotp } from '../../../../test/support/user-totp.ts';
import { MINUTE } from '../../../lib/time.ts';
import { countLiveTokens } from '../tokens/queries.ts';

const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_REGISTER: 'off', RATE_LIMIT_ANON: 'off' };

type Person = Awaited<ReturnType<typeof registerWithTotp>>;

/** Starts a service, and returns its clients. */
function useSecondFactors(engine: Engine) {
  const clock = manualClock(Date.now());
  const service = useService(
    engine,
    limited({ ...off, RATE_LIMIT_LOGIN_ACCOUNT: '8/3600', RATE_LIMIT_PASSWORD_RESET: 'off' }, { clock }),
  );
  /** Registers a person, whose app shows a code next that was not used. */
  const newPerson = async () => {
    const person = await registerWithTotp(service, clock.now);
    clock.now += STEP_MS;
    return person;
  };
  const getCode = ({ appSecret }: Person) => codeAt(appSecret, clock.now);
  const getWrongCode = ({ appSecret }: Person) => wrongCodeAt(appSecret, clock.now);
  const countTokens = ({ id }: Person) => countLiveTokens(service.database, id, clock.now);
  const logIn = ({ email, password }: Person, code?: string, address = newClientIp()) =>
    service.api.post('/api/login', { email, password, code }, fromIp(address));
  const answer = (challenge: string, code: string, address = newClientIp()) =>
    service.api.post(ANSWER_PATH, { challenge, code }, fromIp(address));
  const codeIn = ({ status, body }: ApiResponse) => [status, body.code];
  return { clock, service, newPerson, getCode, getWrongCode, countTokens, logIn, answer, codeIn };
}

describeOnEachEngine('a login of a user with a second factor', (engine) => {
  const { clock, service, ...use } = useSecondFactors(engine);
  const { newPerson, getCode, getWrongCode, countTokens, logIn, answer, codeIn } = use;

  test('a code beside email and password logs in, once', async () => {
    const person = await newPerson();
    const code = getCode(person);
    const { status, body } = await logIn(person, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    assert.equal(status, 200);
    assert.equal((await service.api.get('/api/v1/me', { token: body.access_token })).status, 200);
    assert.deepEqual(codeIn(await logIn(person, code)), [401, 'invalid_totp_code']);
    const events = await listEvents(service, person.id);
    assert.deepEqual(events.slice(-2), ['login.succeeded by user', 'login.failed (wrong_code) by anonymous']);
  });

  test('a code does not help without the right password, and nothing tells that there is a second factor', async () => {
    const person = await newPerson();
    const wrong = { ...person, password: 'a wrong password' };
    for (const code of [undefined, getCode(person)])
      assert.deepEqual(codeIn(await logIn(wrong, code)), [401, 'invalid_login']);
    assert.equal((await logIn(person, getCode(person))).status, 200);
  });

  test('a challenge is answered once, with a code of the app or a recovery code', async () => {
    const person = await newPerson();
    const challenge = await getChallenge(service, person);
    const { status, headers, body } = await answer(challenge, getCode(person));
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(body.token_type, 'Bearer');
    for (const ended of [challenge, '0'.repeat(43)])
      assert.deepEqual(codeIn(await answer(ended, person.recoveryCodes[0]!)), [401, 'challenge_expired']);
    const second = await getChallenge(service, person);
    assert.equal((await answer(second, person.recoveryCodes[0]!.toUpperCase())).status, 200);
    assert.deepEqual(codeIn(await logIn(person, person.recoveryCodes[0])), [401, 'invalid_totp_code']);
  });

  test('a login that waits for a code is no login yet: last_login_at and the known networks stay', async () => {
    const person = await newPerson();
    await getChallenge(service, person);
    const { body } = await service.api.get(`/api/v1/users/${person.id}`, admin);
    assert.equal(body.data.last_login_at, null);
    assert.ok(!(await listEvents(service, person.id)).includes('login.succeeded by user'));
  });

  test('a challenge ends after five codes, of which the fifth may be right', async () => {
    const person = await newPerson();
    const challenges = [await getChallenge(service, person), await getChallenge(service, person)] as const;
    for (const challenge of challenges)
      for (let attempt = 0; attempt < 4; attempt++) {
        if (challenge === challenges[1] && attempt === 3) break;
        assert.deepEqual(codeIn(await answer(challenge, getWrongCode(person))), [401, 'invalid_totp_code']);
      }
    assert.equal((await answer(challenges[0], getCode(person))).status, 200);
    for (const _ of [1, 2])
      assert.deepEqual(codeIn(await answer(challenges[1], getWrongCode(person))), [401, 'invalid_totp_code']);
    assert.deepEqual(codeIn(await answer(challenges[1], person.recoveryCodes[0]!)), [
      401,
      'challenge_expired',
    ]);
  });

  for (const [reason, change] of Object.entries({
    'five minutes': async () => {
      clock.now += 5 * MINUTE;
    },
    'a new password': async ({ token, password }: Person) => {
      const body = { current_password: password, password: 'another good password' };
      assert.equal((await service.api.put('/api/v1/me/password', body, { token })).status, 200);
    },
    'the user was disabled': async ({ id }: Person) => {
      const request = editor;
      assert.equal(
        (await service.api.patch(`/api/v1/users/${id}`, { state: 'disabled' }, request)).status,
        200,
      );
    },
    'the user was erased': async ({ id }: Person) => {
      assert.equal((await service.api.delete(`/api/v1/users/${id}`, admin)).status, 204);
    },
  }))
    test(`a challenge is not accepted after ${reason}`, async () => {
      const person = await newPerson();
      const challenge = await getChallenge(service, person);
      await change(person);
      assert.deepEqual(codeIn(await answer(challenge, person.recoveryCodes[0]!)), [401, 'challenge_expired']);
    });

  for (const kind of ['code of the app', 'recovery code'] as const)
    test(`50 logins and answers at the same time with one ${kind} issue one token`, async () => {
      const person = await newPerson();
      const code = kind === 'recovery code' ? person.recoveryCodes[0]! : getCode(person);
      const challenge = await getChallenge(service, person);
      const before = await countTokens(person);
      const attempts = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? logIn(person, code) : answer(challenge, code),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
      assert.equal(await countTokens(person), before + 1);
    });

  test('wrong codes lock as wrong passwords do, and never lock the owner out of a known network', async () => {
    const person = await newPerson();
    const home = newClientIp();
    assert.equal((await logIn(person, getCode(person), home)).status, 200);
    const strangers = Array.from({ length: 8 }, () => logIn(person, getWrongCode(person)));
    for (const response of await Promise.all(strangers)) assert.equal(response.status, 401);
    assert.deepEqual(codeIn(await logIn(person, person.recoveryCodes[0])), [429, 'too_many_requests']);
    clock.now += STEP_MS;
    assert.equal((await logIn(person, getCode(person), home)).status, 200);
  });
});

// On PostgreSQL, the server has the clock of these waits.
describeOnSqlite('wrong codes of one network', (engine) => {
  const { clock, newPerson, getCode, getWrongCode, logIn } = useSecondFactors(engine);

  test('five wrong codes from one network lead to waits, which end', async () => {
    const person = await newPerson();
    const address = newClientIp();
    for (let attempt = 0; attempt < 5; attempt++)
      assert.equal((await logIn(person, getWrongCode(person), address)).status, 401);
    assert.equal((await logIn(person, getCode(person), address)).status, 429);
    clock.now += 15 * MINUTE;
    assert.equal((await logIn(person, getCode(person), address)).status, 200);
  });
});
