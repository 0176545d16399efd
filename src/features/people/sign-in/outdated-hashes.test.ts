import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSync } from '@node-rs/argon2';
import { fromIp, limited, manualClock, newClientIp } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import {
  openService,
  PRODUCTION_HASHES,
  type TestService,
  useService,
} from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { PARAMETERS, PREFIX } from '../../../lib/passwords/password-parameters.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { findCredentials } from '../../users/records/queries.ts';

const PASSWORD = 'an old password';
const WRONG = 'a wrong password';
const CONCURRENT = 4;
const ADMITTED_FAILURES = 2;
const OLD_PARAMETERS = { algorithm: 2, memoryCost: 4_096, timeCost: 1, parallelism: 1 };
const REPLACE = sql('update users set password_hash = $1 where id = $2');

async function insertOutdated({ service }: TestService) {
  const passwordHash = hashSync(PASSWORD, OLD_PARAMETERS);
  const { id, email } = await insertTestUser(service.database, { passwordHash });
  return { id, email: email!, passwordHash };
}

/** Sends logins with the right password at once. */
function logInAtOnce({ api }: TestService, email: string, clientIp: string) {
  return Array.from({ length: CONCURRENT }, () =>
    api.post('/api/login', { email, password: PASSWORD }, fromIp(clientIp)),
  );
}

describeOnEachEngine('logins at the same time with an outdated hash', (engine) => {
  const clock = manualClock();
  const environment = {
    RATE_LIMIT_LOGIN: 'off',
    RATE_LIMIT_LOGIN_FAIL: `${ADMITTED_FAILURES}/900`,
    PASSWORD_THREADS: '1',
  };
  const service = useService(engine, limited(environment, { clock, ...PRODUCTION_HASHES }));

  test('concurrent logins with an outdated hash all succeed, replace it once, and none counts as a failed attempt', async () => {
    const [{ email }, clientIp] = [await insertOutdated(service), newClientIp()];
    const responses = await Promise.all(logInAtOnce(service, email, clientIp));
    assert.deepEqual(pluck(responses, 'status'), Array(CONCURRENT).fill(200));
    const { password_hash } = (await findCredentials(service.database, normalizeEmail(email)))!;
    assert.ok(password_hash!.startsWith(PREFIX), password_hash!);
    for (const { body } of responses) {
      assert.equal((await service.api.get('/api/v1/me', { token: body.access_token })).status, 200);
    }
    const fail = () => service.api.post('/api/login', { email, password: WRONG }, fromIp(clientIp));
    for (let attempt = 0; attempt < ADMITTED_FAILURES; attempt++) assert.equal((await fail()).status, 401);
    assert.equal((await fail()).status, 429);
  });

  test('logins with an outdated hash fail when the password is changed before they have finished', async () => {
    const { id, email } = await insertOutdated(service);
    const changed = hashSync('a new password', PARAMETERS);
    const responses = logInAtOnce(service, email, newClientIp());
    await Promise.race(responses);
    await service.database.transaction((tx) => tx.run(REPLACE, changed, id));
    const late = await service.api.post('/api/login', { email, password: PASSWORD });
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    assert.equal(late.status, 401);
    assert.ok(statuses.includes(200) && statuses.includes(401), statuses.join());
    const { password_hash } = (await findCredentials(service.database, normalizeEmail(email)))!;
    assert.equal(password_hash, changed);
  });
});

describeOnEachEngine('a login whose hash is replaced again and again', (engine) => {
  test('a login whose hash is replaced again and again is rejected with 503 and Retry-After, and is not counted', async (context) => {
    const service = await openService(
      context,
      engine,
      limited(
        { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_LOGIN_FAIL: `${ADMITTED_FAILURES}/900` },
        PRODUCTION_HASHES,
      ),
    );
    const { id, email } = await insertOutdated(service);
    const { database } = service;
    let isOver = false;
    // As nodes with other parameters would.
    const replacing = (async () => {
      while (!isOver) {
        const hash = hashSync(PASSWORD, OLD_PARAMETERS);
        await database.transaction((tx) => tx.run(REPLACE, hash, id));
        await new Promise(setImmediate);
      }
    })();
    const clientIp = newClientIp();
    const logIn = (password: string) => service.api.post('/api/login', { email, password }, fromIp(clientIp));
    let response!: Awaited<ReturnType<typeof logIn>>;
    // On a busy machine, a login may be faster than the next replacement.
    await until(async () => {
      response = await logIn(PASSWORD);
      return response.status !== 200;
    }, 'a login is rejected');
    isOver = true;
    await replacing;
    const { status, headers, body } = response;
    assert.deepEqual([status, headers.get('retry-after'), body.code], [503, '1', 'service_unavailable']);
    for (let attempt = 0; attempt < ADMITTED_FAILURES; attempt++) {
      assert.equal((await logIn(WRONG)).status, 401);
    }
    assert.equal((await logIn(WRONG)).status, 429);
  });
});
