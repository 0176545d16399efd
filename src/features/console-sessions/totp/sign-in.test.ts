/** The sign-in to the console with a credential that has a second factor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromConsole, SESSION_PATH } from '../../../../test/support/browser/console-session.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { limited, manualClock, newClientIp } from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import {
  codeAt,
  createTotpCredential,
  getSessionCookie,
  STEP_MS,
  signInWithCode,
  TOTP_PATH,
  wrongCodeAt,
} from '../../../../test/support/totp.ts';
import { sql } from '../../../database/database.ts';
import { createSeal } from '../../../lib/secrets/encryption.ts';

const DASHBOARD = '/api/v1/admin/dashboard';
const WRITE_SECRET = sql('update credential_totp set secret = $2 where credential_id = $1');

describeOnSqlite('sign-in with a second factor', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  /** A credential whose first code is a step behind. */
  const create = async () => {
    const created = await createTotpCredential(service, clock.now);
    clock.now += 2 * STEP_MS;
    return created;
  };
  const attempt = async (secret: string, code: string | undefined) => {
    const { status, body } = await signInWithCode(service, secret, code);
    return [status, body.code ?? null];
  };

  test('a sign-in without a code is rejected with 401 and a code of its own, after the credential was checked', async () => {
    const { secret } = await create();
    const response = await signInWithCode(service, secret, undefined);
    assert.deepEqual([response.status, response.body.code], [401, 'totp_required']);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="admin"');
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.deepEqual(await attempt(`${secret}x`, undefined), [401, 'unauthorized']);
    assert.deepEqual(await attempt(`${secret}x`, '123456'), [401, 'unauthorized']);
  });

  test('a sign-in with the code of the app begins a session, also with spaces in the code', async () => {
    const { secret, appSecret } = await create();
    const code = codeAt(appSecret, clock.now);
    const cookie = getSessionCookie(
      await signInWithCode(service, secret, `${code.slice(0, 3)} ${code.slice(3)}`),
    );
    assert.equal((await service.api.get(DASHBOARD, fromConsole(cookie))).status, 200);
  });

  test('a sign-in with a code that was accepted before, or an earlier one, is rejected', async () => {
    const { secret, appSecret } = await createTotpCredential(service, clock.now);
    const rejected = [401, 'invalid_totp_code'];
    const code = (step: number) => codeAt(appSecret, clock.now + step * STEP_MS);
    assert.deepEqual(await attempt(secret, code(0)), rejected, 'the code of the enrolment');
    assert.deepEqual(await attempt(secret, code(1)), [201, null]);
    for (const step of [1, 0, -1]) assert.deepEqual(await attempt(secret, code(step)), rejected);
    clock.now += STEP_MS;
    assert.deepEqual(await attempt(secret, code(0)), rejected);
    clock.now += STEP_MS;
    assert.deepEqual(await attempt(secret, code(0)), [201, null]);
  });

  test('concurrent sign-ins with one code begin one session, and so do those with one recovery code', async () => {
    const { secret, appSecret, recoveryCodes } = await create();
    for (const code of [codeAt(appSecret, clock.now), recoveryCodes[0]]) {
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => signInWithCode(service, secret, code)),
      );
      const statuses = responses.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 401, 401, 401, 401, 401]);
    }
  });

  test('a sign-in accepts each recovery code once, as it is typed', async () => {
    const { secret, cookie, recoveryCodes } = await create();
    const [first, second, third] = recoveryCodes as [string, string, string];
    for (const code of [first, second.toUpperCase().replaceAll('-', ' '), third.replaceAll('-', '')]) {
      assert.deepEqual(await attempt(secret, code), [201, null]);
      assert.deepEqual(await attempt(secret, code), [401, 'invalid_totp_code']);
    }
    const { body } = await service.api.get(TOTP_PATH, fromConsole(cookie));
    assert.equal(body.data.recovery_codes_left, 7);
  });

  test('codes and recovery codes of another credential are rejected', async () => {
    const [one, other] = [await create(), await create()];
    for (const code of [codeAt(other.appSecret, clock.now), other.recoveryCodes[0]])
      assert.deepEqual(await attempt(one.secret, code), [401, 'invalid_totp_code']);
    assert.deepEqual(await attempt(other.secret, other.recoveryCodes[0]), [201, null]);
  });

  test('a rotated credential keeps its second factor', async () => {
    const { path, appSecret } = await create();
    const rotated = await service.api.post(`${path}/rotate`, { overlap: 0 }, { token: ADMIN_TOKEN });
    const { credential, totp_enabled_at } = rotated.body.data;
    assert.notEqual(totp_enabled_at, null);
    assert.deepEqual(await attempt(credential, undefined), [401, 'totp_required']);
    assert.deepEqual(await attempt(credential, codeAt(appSecret, clock.now)), [201, null]);
  });

  test('a sign-in with ADMIN_TOKEN, or with a credential without a second factor, ignores a code', async () => {
    assert.deepEqual(await attempt(ADMIN_TOKEN, '123456'), [201, null]);
    const { secret, cookie, appSecret } = await create();
    const code = codeAt(appSecret, clock.now);
    assert.equal(
      (await service.api.request('DELETE', TOTP_PATH, fromConsole(cookie, { body: { code } }))).status,
      204,
    );
    assert.deepEqual(await attempt(secret, '123456'), [201, null]);
  });

  test('a secret that was encrypted by another SECRET_KEY accepts no code, but recovery codes sign in', async () => {
    const { secret, record, appSecret, recoveryCodes } = await create();
    const lost = createSeal('another-key-that-was-lost-before', 'totp-secrets');
    const sealed = lost.seal(record.id, Buffer.from('lost'));
    await service.service.database.transaction((tx) => tx.run(WRITE_SECRET, record.id, sealed));
    assert.deepEqual(await attempt(secret, codeAt(appSecret, clock.now)), [401, 'invalid_totp_code']);
    assert.deepEqual(await attempt(secret, recoveryCodes[0]), [201, null]);
  });
});

describeOnSqlite('limits of wrong codes at the sign-in', (engine) => {
  const clock = manualClock();
  const service = useService(engine, limited({ RATE_LIMIT_LOGIN_ACCOUNT: '12/3600' }, { clock }));
  const signIn = async (secret: string, code: string, clientIp: string) => {
    const { status, body } = await signInWithCode(service, secret, code, { 'x-forwarded-for': clientIp });
    return [status, body.code ?? null];
  };

  test('wrong codes from one network are rejected with 429 after five, also for a right one, and not elsewhere', async () => {
    const { secret, appSecret, recoveryCodes } = await createTotpCredential(service, clock.now);
    const other = await createTotpCredential(service, clock.now);
    const clientIp = newClientIp();
    const wrong = wrongCodeAt(appSecret, clock.now);
    for (let count = 0; count < 5; count++)
      assert.deepEqual(await signIn(secret, wrong, clientIp), [401, 'invalid_totp_code']);
    assert.deepEqual(await signIn(secret, wrong, clientIp), [429, 'too_many_requests']);
    assert.deepEqual(await signIn(secret, recoveryCodes[0]!, clientIp), [429, 'too_many_requests']);
    assert.deepEqual(await signIn(other.secret, other.recoveryCodes[0]!, clientIp), [201, null]);
    assert.deepEqual(await signIn(secret, recoveryCodes[0]!, newClientIp()), [201, null]);
  });

  test('wrong codes from many networks lock the credential, in every network', async () => {
    const { secret, appSecret, recoveryCodes } = await createTotpCredential(service, clock.now);
    const wrong = wrongCodeAt(appSecret, clock.now);
    for (let count = 0; count < 12; count++)
      assert.deepEqual(await signIn(secret, wrong, newClientIp()), [401, 'invalid_totp_code']);
    assert.deepEqual(await signIn(secret, wrong, newClientIp()), [429, 'too_many_requests']);
    assert.deepEqual(await signIn(secret, recoveryCodes[0]!, newClientIp()), [429, 'too_many_requests']);
  });

  test('wrong codes for a change of the second factor count together with those at the sign-in', async () => {
    const { secret, cookie, appSecret, recoveryCodes } = await createTotpCredential(service, clock.now);
    const clientIp = newClientIp();
    const wrong = wrongCodeAt(appSecret, clock.now);
    const disable = async (code: string) => {
      const request = fromConsole(cookie, { body: { code }, headers: { 'x-forwarded-for': clientIp } });
      return (await service.api.request('DELETE', TOTP_PATH, request)).status;
    };
    for (let count = 0; count < 3; count++) assert.equal(await disable(wrong), 400);
    for (let count = 0; count < 2; count++)
      assert.deepEqual(await signIn(secret, wrong, clientIp), [401, 'invalid_totp_code']);
    assert.equal(await disable(recoveryCodes[0]!), 429);
  });

  test('wrong codes are forgotten after a right one, and a sign-in without a code is not counted', async () => {
    const { secret, appSecret, recoveryCodes } = await createTotpCredential(service, clock.now);
    const clientIp = newClientIp();
    const wrong = wrongCodeAt(appSecret, clock.now);
    for (const code of recoveryCodes.slice(0, 3)) {
      for (let count = 0; count < 4; count++)
        assert.deepEqual(await signIn(secret, wrong, clientIp), [401, 'invalid_totp_code']);
      for (let count = 0; count < 6; count++) {
        const request = fromConsole(undefined, { headers: { 'x-forwarded-for': clientIp } });
        const { body } = await service.api.post(SESSION_PATH, { credential: secret }, request);
        assert.equal(body.code, 'totp_required');
      }
      assert.deepEqual(await signIn(secret, code, clientIp), [201, null]);
    }
  });

  test('wrong codes are recorded one by one ten times an hour for each credential', async () => {
    const { secret, record, appSecret } = await createTotpCredential(service, clock.now);
    const wrong = wrongCodeAt(appSecret, clock.now);
    for (let count = 0; count < 12; count++) await signIn(secret, wrong, newClientIp());
    await numberAllEvents(service.service.database);
    const path = `/api/v1/events?subject=credential:${record.id}&type=credential.totp_failed`;
    assert.equal((await service.api.get(path, { token: ADMIN_TOKEN })).body.data.length, 10);
  });
});
