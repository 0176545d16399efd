/** The duration of a failed login must not reveal whether the email address belongs to an account. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { hashSync } from '@node-rs/argon2';
import { PARAMETERS, PREFIX } from '../src/lib/password-parameters.ts';
import { createPasswords } from '../src/lib/passwords.ts';
import { createTestDatabase, describeOnEachEngine } from './support/engines.ts';
import { limited } from './support/limits.ts';
import { newUserData, startService, useService } from './support/service.ts';
import { signedRankTest } from './support/signed-rank-test.ts';
import { insertTestUser, register } from './support/users.ts';

/**
 * Two comparisons with fresh measurements have to be significant at this level. Each pair of requests is sent in
 * random order, so without a leak every sign of a difference is a fair coin, whatever the load of the machine, and
 * the signed-rank test is exact: both comparisons are significant with a probability of at most 10⁻⁸. One run has
 * four such tests (two per engine): at most one false alarm in 2.5 · 10⁷ runs.
 */
const LEVEL = 1e-4;
const PAIRS = 200;
const WRONG_PASSWORD = 'a wrong password';

interface Emails {
  readonly known: string;
  readonly unknown: string;
}

async function durationOfLogin(url: string, email: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password: WRONG_PASSWORD });
  const start = performance.now();
  const response = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  const duration = performance.now() - start;
  assert.equal(response.status, 401);
  return duration;
}

/** Returns the difference of durations for each pair of a known and an unknown address, sent in random order. */
async function measure(url: string, { known, unknown }: Emails, pairs: number): Promise<number[]> {
  const differences: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const sign = Math.random() < 0.5 ? 1 : -1;
    const [first, second] = sign === 1 ? [known, unknown] : [unknown, known];
    const firstDuration = await durationOfLogin(url, first);
    differences.push(sign * (firstDuration - (await durationOfLogin(url, second))));
  }
  return differences;
}

/** Returns the probability of such differences without a leak. Measures on two connections at a time. */
async function compare(url: string, emails: Emails, pairs: number): Promise<number> {
  const halves = await Promise.all([measure(url, emails, pairs / 2), measure(url, emails, pairs / 2)]);
  return signedRankTest(halves.flat());
}

/** Returns the probabilities of one or two comparisons, the last of which decides: it is significant after a leak. */
async function findLeak(url: string, emails: Emails, pairs: number): Promise<number[]> {
  // The first requests start threads and compile code.
  await measure(url, emails, 5);
  const first = await compare(url, emails, pairs);
  return first > LEVEL ? [first] : [first, await compare(url, emails, pairs)];
}

const isLeak = (probabilities: readonly number[]) => probabilities.at(-1)! <= LEVEL;

async function assertNoLeak(url: string, known: string): Promise<void> {
  const probabilities = await findLeak(url, { known, unknown: newUserData().email }, PAIRS);
  assert.ok(!isLeak(probabilities), `differences are significant: p = ${probabilities.join(', then ')}`);
}

const NEVER = '1000000/1';
/** Rate limits are counted as in every service, but never reached. */
const UNLIMITED = limited({
  RATE_LIMIT_LOGIN: NEVER,
  RATE_LIMIT_LOGIN_FAIL: NEVER,
  RATE_LIMIT_LOGIN_ACCOUNT: NEVER,
});

describeOnEachEngine('a failed login', (engine) => {
  const service = useService(engine, UNLIMITED);

  test('takes equally long for a known and an unknown email address', async () => {
    const { email } = await register(service);
    await assertNoLeak(service.api.url, email);
  });
});

describeOnEachEngine('a failed login after a change of the parameters of password hashes', (engine) => {
  test('takes equally long for an unknown email address and one that has not logged in since', async (context) => {
    const testDatabase = await createTestDatabase(engine);
    context.after(() => testDatabase.remove());
    const previous = await startService(engine, { testDatabase });
    const { memoryCost } = PARAMETERS;
    const older = hashSync('the right password', { ...PARAMETERS, memoryCost: memoryCost / 2, timeCost: 1 });
    const { email } = await insertTestUser(previous.service.database, { passwordHash: older });
    await previous.stop();
    const service = await startService(engine, { testDatabase, ...UNLIMITED });
    context.after(service.stop);
    await assertNoLeak(service.api.url, email!);
  });
});

describe('the measurement of failed logins', () => {
  test('finds the leak of a server that hashes passwords only for known email addresses', async (context) => {
    const passwords = createPasswords({
      threads: 1,
      queueLimit: 10,
      maxWaitMs: 60_000,
      oldestPrefix: () => PREFIX,
      pepper: null,
    });
    context.after(() => passwords.close());
    const hash = await passwords.hash('the right password', 'client');
    const server = createServer(async (request, response) => {
      const text = await Array.fromAsync(request.setEncoding('utf8'));
      const { email, password } = JSON.parse(text.join(''));
      if (email === 'known@example.com') await passwords.verify(password, hash, 'client');
      response.writeHead(401).end();
    });
    context.after(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const emails = { known: 'known@example.com', unknown: 'unknown@example.com' };
    // Pauses of a busy machine may hide the leak from one attempt, hardly from three.
    let found: number[] = [];
    for (let attempt = 0; attempt < 3 && !(found.length === 2 && isLeak(found)); attempt++) {
      found = await findLeak(url, emails, 40);
    }
    assert.equal(found.length, 2);
    assert.ok(isLeak(found), `p = ${found.join(', then ')}`);
  });
});

describe('signedRankTest', () => {
  const integers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test('returns the exact probability, by enumeration of all signs', () => {
    for (const magnitudes of [
      [1, 2, 3, 4, 5, 6, 7],
      [2, 2, 3, 5, 5, 5, 9, 1],
    ]) {
      const all = integers(0, 2 ** magnitudes.length - 1).map((signs) =>
        magnitudes.map((magnitude, index) => ((signs >> index) & 1 ? magnitude : -magnitude)),
      );
      const imbalance = (differences: number[]) => Math.abs(rankSum(differences));
      for (const differences of all) {
        const asExtreme = all.filter((other) => imbalance(other) >= imbalance(differences) - 1e-9);
        const expected = asExtreme.length / all.length;
        assert.ok(Math.abs(signedRankTest(differences) - expected) < 1e-12, differences.join());
      }
    }
  });

  test('returns probabilities down to 2^-199 for 200 differences of one sign', () => {
    assert.equal(signedRankTest(integers(1, 200)), 2 ** -199);
    assert.equal(signedRankTest(integers(-200, -1)), 2 ** -199);
  });

  test('finds a shift of a third of the spread in 200 pairs, also among outliers of both signs', () => {
    const spread = integers(-100, 99).map((value) => value + 0.5);
    assert.equal(signedRankTest(spread), 1);
    const outliers = (values: number[]) => [
      ...values.slice(5, -5),
      ...integers(1, 5).flatMap((n) => [9999 * n, -9999 * n]),
    ];
    assert.ok(signedRankTest(outliers(spread)) > 0.9);
    const shifted = spread.map((value) => value + 100 / 3);
    assert.ok(signedRankTest(shifted) < LEVEL);
    assert.ok(signedRankTest(outliers(shifted)) < LEVEL);
  });

  test('counts differences of zero half for each sign', () => {
    assert.equal(signedRankTest([0, 0, 0, 0]), 1);
    assert.equal(signedRankTest([]), 1);
  });
});

/** Returns the sum of signed ranks, where equal magnitudes have their mean rank. */
function rankSum(differences: readonly number[]): number {
  const magnitudes = differences.map(Math.abs);
  const rankOf = (magnitude: number) =>
    magnitudes.filter((other) => other < magnitude).length +
    (magnitudes.filter((other) => other === magnitude).length + 1) / 2;
  return differences.reduce(
    (sum, difference, index) => sum + Math.sign(difference) * rankOf(magnitudes[index]!),
    0,
  );
}
