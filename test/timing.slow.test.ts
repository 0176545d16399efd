/** The duration of a request must not reveal whether the email address belongs to an account. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { hashSync } from '@node-rs/argon2';
import { PARAMETERS, PREFIX } from '../src/lib/passwords/password-parameters.ts';
import { createPasswords } from '../src/lib/passwords/passwords.ts';
import { openTestDatabase } from './support/database.ts';
import { limited } from './support/limits.ts';
import { describeOnEachEngine } from './support/runner/engines.ts';
import { newUserData, openService, PRODUCTION_HASHES, startService, useService } from './support/service.ts';
import { signTest } from './support/statistics/sign-test.ts';
import { assertNoLeak, findLeak, formSender, isLeak, LEVEL, sender } from './support/statistics/timing.ts';
import { insertTestUser, register } from './support/users.ts';

const CLIENT = { network: 'client', account: null };

/** One run has fourteen such tests: at most one false alarm in 8 · 10⁶ runs (test/support/statistics/timing.ts). */
const PAIRS = 200;
const WRONG_PASSWORD = 'a wrong password';
/** Rate limits are counted as in every service, but never reached. */
const NEVER = '1000000/1';
const LIMITS = ['LOGIN', 'LOGIN_FAIL', 'LOGIN_ACCOUNT', 'REGISTER', 'REGISTER_HOUR'];
const UNLIMITED = limited(
  Object.fromEntries(LIMITS.map((name) => [`RATE_LIMIT_${name}`, NEVER])),
  PRODUCTION_HASHES,
);

function assertEqualLogins(url: string, known: string): Promise<void> {
  const send = sender(`${url}/api/login`, 401, (email) => ({ email, password: WRONG_PASSWORD }));
  return assertNoLeak(send, { known, unknown: newUserData().email }, PAIRS);
}

describeOnEachEngine('a failed login', (engine) => {
  const service = useService(engine, UNLIMITED);

  test('a failed login takes equally long for a known and an unknown email', async () => {
    const { email } = await register(service);
    await assertEqualLogins(service.api.url, email);
  });
});

describeOnEachEngine('a form of a hosted page', (engine) => {
  const service = useService(engine, UNLIMITED);

  test('a failed sign-in on the page takes equally long for a known and an unknown email', async () => {
    const { email: known } = await register(service);
    const url = `${service.api.url}/sign-in`;
    const send = formSender(url, 401, (email) => ({ email, current_password: WRONG_PASSWORD }));
    await assertNoLeak(send, { known, unknown: newUserData().email }, PAIRS);
  });

  test('signing up on the page takes equally long for a known and a new email', async () => {
    const { email: known } = await register(service);
    const send = formSender(`${service.api.url}/sign-up`, 303, (email) => {
      const data = newUserData();
      return email === known ? { ...data, email } : data;
    });
    await assertNoLeak(send, { known, unknown: '' }, PAIRS);
  });
});

describeOnEachEngine('a failed login after a change of the parameters of password hashes', (engine) => {
  test('a failed login after a change of hash parameters takes equally long for unknown and outdated emails', async (context) => {
    const testDatabase = await openTestDatabase(context, engine);
    const previous = await startService(engine, { testDatabase, ...PRODUCTION_HASHES });
    const { memoryCost } = PARAMETERS;
    const older = hashSync('the right password', { ...PARAMETERS, memoryCost: memoryCost / 2, timeCost: 1 });
    const { email } = await insertTestUser(previous.service.database, { passwordHash: older });
    await previous.stop();
    const service = await openService(context, engine, { testDatabase, ...UNLIMITED });
    await assertEqualLogins(service.api.url, email!);
  });
});

describeOnEachEngine('a request for a link', (engine) => {
  const service = useService(
    engine,
    limited({
      EMAIL_CODE_SIGN_IN: 'on',
      RATE_LIMIT_PASSWORD_RESET: NEVER,
      RATE_LIMIT_EMAIL_VERIFICATION: NEVER,
      RATE_LIMIT_LOGIN_CODE: NEVER,
    }),
  );

  for (const path of ['/api/v1/password-resets', '/api/v1/email-verifications', '/api/v1/login/codes']) {
    test(`a request for a message to ${path} takes equally long for a known and an unknown email`, async () => {
      const { email } = await register(service);
      const emails = { known: email, unknown: newUserData().email };
      const send = sender(service.api.url + path, 202, (address) => ({ email: address }));
      await assertNoLeak(send, emails, PAIRS);
    });
  }
});

describe('the measurement of failed logins', () => {
  test('the measurement finds the leak of a server that hashes passwords only for known emails', async (context) => {
    const passwords = createPasswords({
      threads: 1,
      queueLimit: 10,
      maxWaitMs: 60_000,
      oldestPrefix: () => PREFIX,
      pepper: null,
    });
    context.after(() => passwords.close());
    const hash = await passwords.hash('the right password', CLIENT);
    const server = createServer(async (request, response) => {
      const text = await Array.fromAsync(request.setEncoding('utf8'));
      const { email, password } = JSON.parse(text.join(''));
      if (email === 'known@example.com') await passwords.verify(password, hash, CLIENT);
      response.writeHead(401).end();
    });
    context.after(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const emails = { known: 'known@example.com', unknown: 'unknown@example.com' };
    const send = sender(url, 401, (email) => ({ email, password: WRONG_PASSWORD }));
    // Pauses of a busy machine may hide the leak from one attempt, hardly from three.
    let found: number[] = [];
    for (let attempt = 0; attempt < 3 && !(found.length === 2 && isLeak(found)); attempt++) {
      found = await findLeak(send, emails, 40);
    }
    assert.equal(found.length, 2);
    assert.ok(isLeak(found), `p = ${found.join(', then ')}`);
  });
});

describe('signTest', () => {
  test('signTest returns the probability of tosses of a coin that are as one-sided', () => {
    assert.equal(signTest(Array(200).fill(1)), 2 ** -199);
    assert.equal(signTest([1, -1, 2, -2, 0]), 1);
    // 8 of 10: 2 · (1 + 10 + 45) / 1024.
    assert.equal(signTest([...Array(8).fill(0.1), -9_999, -1]), 112 / 1_024);
    assert.ok(signTest([...Array(140).fill(1), ...Array(60).fill(-1)]) < LEVEL);
  });
});
