import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from 'otpauth';
import { fromConsole, SESSION_PATH, signIn } from '../../../../test/support/browser/console-session.ts';
import { createCredential } from '../../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import {
  codeAt,
  createTotpCredential,
  enrol,
  getSessionCookie,
  STEP_MS,
  signInWithCode,
  TOTP_PATH,
  wrongCodeAt,
} from '../../../../test/support/totp.ts';
import { sql } from '../../../database/database.ts';
import { hashRecoveryCode } from '../../second-factor/recovery-codes.ts';

const DASHBOARD = '/api/v1/admin/dashboard';
const WRONG = ['The code is wrong, has expired or was used before.'];
const STORED = sql<{ secret: Uint8Array; last_step: number }>(
  'select secret, last_step from credential_totp where credential_id = $1',
);
const STORED_CODES = sql<{ hash: string }>(
  'select hash from credential_recovery_codes where credential_id = $1',
);

describeOnSqlite('two-step sign-in of a credential', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock, environment: { INSTANCE_NAME: 'Desk' } });
  const get = (cookie: string) => service.api.get(TOTP_PATH, fromConsole(cookie));
  const send = (method: string, path: string, cookie: string, body?: object) =>
    service.api.request(method, path, fromConsole(cookie, { ...(body === undefined ? {} : { body }) }));
  const status = async (cookie: string) => (await service.api.get(DASHBOARD, fromConsole(cookie))).status;
  const listEvents = async (id: string) => {
    await numberAllEvents(service.service.database);
    const path = `/api/v1/events?subject=credential:${id}&order=time`;
    const { data } = (await service.api.get(path, { token: ADMIN_TOKEN })).body;
    return data as Record<string, unknown>[];
  };

  test('two-step sign-in is off until a code of the app has confirmed the secret, then there are ten recovery codes', async () => {
    const { secret, path, record } = await createCredential(service, ['users:read'], {
      name: 'Support: Ada',
    });
    const cookie = await signIn(service, secret);
    const off = { enabled_at: null, recovery_codes_left: 0 };
    assert.deepEqual((await get(cookie)).body, { message: 'Two-step sign-in', data: off });
    const begun = await send('POST', `${TOTP_PATH}/secret`, cookie);
    assert.equal(begun.headers.get('cache-control'), 'no-store');
    const { secret: appSecret, uri } = begun.body.data;
    assert.match(appSecret, /^[A-Z2-7]{32}$/);
    const expected = `otpauth://totp/Desk:Support%20Ada?issuer=Desk&secret=${appSecret}&algorithm=SHA1&digits=6&period=30`;
    assert.equal(uri, expected);
    assert.deepEqual((await get(cookie)).body.data, off);
    assert.equal((await signInWithCode(service, secret, undefined)).status, 201, 'not confirmed yet');
    const confirmed = await send('POST', TOTP_PATH, cookie, { code: codeAt(appSecret, clock.now) });
    assert.equal(confirmed.status, 200);
    assert.equal(new Set(confirmed.body.data.recovery_codes).size, 10);
    const enabled_at = new Date(clock.now).toISOString();
    assert.deepEqual((await get(cookie)).body.data, { enabled_at, recovery_codes_left: 10 });
    const shown = (await service.api.get(path, { token: ADMIN_TOKEN })).body.data;
    assert.deepEqual([shown.totp_enabled_at, record.totp_enabled_at], [enabled_at, null]);
  });

  test('two-step sign-in is not confirmed by a wrong code, by one of a replaced secret, or without a secret', async () => {
    const { secret } = await createCredential(service, ['users:read']);
    const cookie = await signIn(service, secret);
    const confirm = (code: string) => send('POST', TOTP_PATH, cookie, { code });
    const none = await confirm('123456');
    assert.deepEqual([none.status, none.body.errors], [400, { code: WRONG }]);
    const first = (await send('POST', `${TOTP_PATH}/secret`, cookie)).body.data.secret;
    const second = (await send('POST', `${TOTP_PATH}/secret`, cookie)).body.data.secret;
    assert.notEqual(first, second);
    for (const code of [codeAt(first, clock.now), wrongCodeAt(second, clock.now), 'abcdef'])
      assert.deepEqual((await confirm(code)).body.errors, { code: WRONG }, code);
    assert.equal((await get(cookie)).body.data.enabled_at, null);
    assert.equal((await confirm(codeAt(second, clock.now))).status, 200);
    for (const path of [TOTP_PATH, `${TOTP_PATH}/secret`]) {
      const again = await send('POST', path, cookie, { code: '123456' });
      assert.deepEqual([again.status, again.body.code], [409, 'totp_already_enabled'], path);
    }
  });

  test('two-step sign-in ends the other sessions of the credential, which began without a code', async () => {
    const credential = await createCredential(service, ['users:read']);
    const other = await createCredential(service, ['users:read']);
    const before = await signIn(service, credential.secret);
    const rotated = await service.api.post(
      `${credential.path}/rotate`,
      { overlap: 600 },
      { token: ADMIN_TOKEN },
    );
    const [cookie, second, foreign, owner] = [
      await signIn(service, rotated.body.data.credential),
      await signIn(service, rotated.body.data.credential),
      await signIn(service, other.secret),
      await signIn(service),
    ];
    await enrol(service, cookie, clock.now);
    const statuses = await Promise.all([before, second, cookie, foreign, owner].map(status));
    assert.deepEqual(statuses, [401, 401, 200, 200, 200]);
  });

  test('two-step sign-in stores the secret encrypted and recovery codes by their hashes, and shows neither again', async () => {
    const { record, cookie, appSecret, recoveryCodes } = await createTotpCredential(service, clock.now);
    const { database } = service.service;
    const [row] = await database.all(STORED, record.id);
    const { bytes } = Secret.fromBase32(appSecret);
    const stored = Buffer.from(row!.secret);
    assert.equal(stored.length, 20 + 28, 'nonce, tag and as many bytes as the secret');
    assert.equal(stored.indexOf(bytes), -1);
    const hashes = (await database.all(STORED_CODES, record.id)).map(({ hash }) => hash);
    assert.deepEqual(hashes.sort(), recoveryCodes.map((code) => hashRecoveryCode(code)!).sort());
    const shown = [
      (await get(cookie)).text,
      (await service.api.get(`/api/v1/credentials/${record.id}`, { token: ADMIN_TOKEN })).text,
      JSON.stringify(await listEvents(record.id)),
      JSON.stringify(service.log),
    ].join();
    for (const secret of [appSecret, ...recoveryCodes]) assert.ok(!shown.includes(secret));
  });

  test('two-step sign-in is switched off with a code or a recovery code, after which the secret alone signs in', async () => {
    for (const choose of [
      (appSecret: string) => codeAt(appSecret, clock.now),
      (_: string, recovery: readonly string[]) => recovery[0]!,
    ]) {
      const { secret, record, cookie, appSecret, recoveryCodes } = await createTotpCredential(
        service,
        clock.now,
      );
      clock.now += STEP_MS;
      const code = choose(appSecret, recoveryCodes);
      for (const wrong of [wrongCodeAt(appSecret, clock.now), codeAt(appSecret, clock.now - STEP_MS)]) {
        const { status: rejected, body } = await send('DELETE', TOTP_PATH, cookie, { code: wrong });
        assert.deepEqual([rejected, body.errors], [400, { code: WRONG }]);
      }
      assert.equal((await send('DELETE', TOTP_PATH, cookie, { code })).status, 204);
      assert.deepEqual((await get(cookie)).body.data, { enabled_at: null, recovery_codes_left: 0 });
      assert.equal((await signInWithCode(service, secret, undefined)).status, 201);
      assert.equal((await service.api.get(DASHBOARD, { token: secret })).status, 200);
      assert.deepEqual(await service.service.database.all(STORED, record.id), []);
      const again = await send('DELETE', TOTP_PATH, cookie, { code });
      assert.deepEqual([again.status, again.body.code], [409, 'totp_not_enabled']);
    }
  });

  test('two-step sign-in returns new recovery codes for a code, and the previous ones are no longer accepted', async () => {
    const { secret, cookie, appSecret, recoveryCodes } = await createTotpCredential(service, clock.now);
    const renew = (code: string) => send('POST', `${TOTP_PATH}/recovery-codes`, cookie, { code });
    assert.deepEqual((await renew(wrongCodeAt(appSecret, clock.now))).body.errors, { code: WRONG });
    const first = await renew(recoveryCodes[0]!);
    assert.equal(first.status, 200);
    const renewed: string[] = first.body.data.recovery_codes;
    assert.equal(new Set([...renewed, ...recoveryCodes]).size, 20);
    const old = await signInWithCode(service, secret, recoveryCodes[1]);
    assert.deepEqual([old.status, old.body.code], [401, 'invalid_totp_code']);
    assert.equal((await signInWithCode(service, secret, renewed[0])).status, 201);
    assert.equal((await get(cookie)).body.data.recovery_codes_left, 9);
    const { secret: other } = await createCredential(service, ['users:read']);
    const off = await send('POST', `${TOTP_PATH}/recovery-codes`, await signIn(service, other), {
      code: '123456',
    });
    assert.deepEqual([off.status, off.body.code], [409, 'totp_not_enabled']);
  });

  test('two-step sign-in is for sessions of named credentials: not for ADMIN_TOKEN, bearer tokens and pages of others', async () => {
    const { secret } = await createCredential(service, ['users:read']);
    const cookie = await signIn(service);
    const calls = [
      ['GET', TOTP_PATH],
      ['POST', TOTP_PATH],
      ['DELETE', TOTP_PATH],
      ['POST', `${TOTP_PATH}/secret`],
      ['POST', `${TOTP_PATH}/recovery-codes`],
    ] as const;
    for (const [method, path] of calls) {
      const body = method === 'GET' ? {} : { body: { code: '123456' } };
      const owner = await service.api.request(method, path, fromConsole(cookie, body));
      assert.deepEqual([owner.status, owner.body.code], [403, 'forbidden'], `${method} ${path}`);
      const bearer = await service.api.request(method, path, { ...body, token: secret });
      assert.equal(bearer.status, 401, `${method} ${path}`);
      const foreign = await service.api.request(method, path, { ...body, headers: { cookie } });
      assert.equal(foreign.status, 403, `${method} ${path}`);
      assert.equal((await service.api.request(method, path, body)).status, 401, `${method} ${path}`);
    }
  });

  test('two-step sign-in is rejected without a code in the body, or with one of another type: 400', async () => {
    const { cookie } = await createTotpCredential(service, clock.now);
    for (const body of [{}, { code: '' }, { code: 123456 }, { code: 'x'.repeat(65) }])
      for (const [method, path] of [
        ['POST', TOTP_PATH],
        ['DELETE', TOTP_PATH],
        ['POST', `${TOTP_PATH}/recovery-codes`],
      ] as const) {
        const response = await send(method, path, cookie, body);
        assert.deepEqual([response.status, Object.keys(response.body.errors)], [400, ['code']]);
      }
  });

  test('changes of two-step sign-in are events that name the credential and the actor', async () => {
    const { secret, record, cookie, appSecret, recoveryCodes } = await createTotpCredential(
      service,
      clock.now,
    );
    const wrong = wrongCodeAt(appSecret, clock.now);
    await signInWithCode(service, secret, wrong);
    getSessionCookie(await signInWithCode(service, secret, recoveryCodes[0]));
    clock.now += STEP_MS;
    await send('POST', `${TOTP_PATH}/recovery-codes`, cookie, { code: codeAt(appSecret, clock.now) });
    clock.now += STEP_MS;
    await send('DELETE', TOTP_PATH, cookie, { code: codeAt(appSecret, clock.now) });
    const { id, name } = record;
    const own = { type: 'administrator', id, name };
    const events = (await listEvents(id)).slice(1);
    assert.deepEqual(
      events.map(({ type, actor, outcome, details }) => [type, actor, outcome, details]),
      [
        ['credential.totp_enabled', own, 'success', { name }],
        ['credential.totp_failed', own, 'failure', { name }],
        ['credential.recovery_code_used', own, 'success', { name, left: 9 }],
        ['credential.recovery_codes_replaced', own, 'success', { name }],
        ['credential.totp_disabled', own, 'success', { name }],
      ],
    );
    const session = await service.api.get(SESSION_PATH, fromConsole(cookie));
    assert.equal(session.status, 200);
  });
});
