import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createPasswords } from '../src/lib/passwords.ts';
import { describeOnEachEngine } from './support/engines.ts';
import { limited } from './support/limits.ts';
import { register } from './support/people.ts';
import { rankTest } from './support/rank-test.ts';
import { newPerson, useService } from './support/service.ts';

/** How often the test may call equal times different: once in ten thousand. */
const LEVEL = 0.0001;
const WRONG = 'a wrong password';

async function secondsOf(address: string, email: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password: WRONG });
  const start = performance.now();
  const response = await fetch(`${address}/api/login`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  const seconds = (performance.now() - start) / 1000;
  assert.equal(response.status, 401);
  return seconds;
}

interface Times {
  readonly known: number[];
  readonly unknown: number[];
}

/**
 * Logs in with wrong passwords, one after the other for known and unknown in changing order, so that whatever
 * else happens on the machine slows both down alike.
 */
async function measure(address: string, emails: Record<keyof Times, string>, pairs: number): Promise<Times> {
  const times: Times = { known: [], unknown: [] };
  for (let pair = 0; pair < pairs; pair++) {
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const which of order) times[which].push(await secondsOf(address, emails[which]));
  }
  return times;
}

/** Measures on two connections, as there are two threads for hashes. */
async function compare(address: string, known: string, unknown: string, pairs: number): Promise<number> {
  const emails = { known, unknown };
  const half = () => measure(address, emails, pairs / 2);
  // The first ones pay for threads and compilation.
  await measure(address, emails, 5);
  const [one, other] = await Promise.all([half(), half()]);
  return rankTest([...one.known, ...other.known], [...one.unknown, ...other.unknown]);
}

describeOnEachEngine('the time of a refused login', (engine) => {
  // The limits are counted, as in every service, and high enough to stay out of the way.
  const much = '1000000/1';
  const service = useService(
    engine,
    limited({ RATE_LIMIT_LOGIN: much, RATE_LIMIT_LOGIN_FAIL: much, RATE_LIMIT_LOGIN_ACCOUNT: much }),
  );

  test('does not tell whether the address is known', async () => {
    const { email } = await register(service);
    const probability = await compare(service.api.address, email, newPerson().email, 200);
    assert.ok(probability > LEVEL, `equal times would differ so much with probability ${probability}`);
  });
});

describe('the same measurement', () => {
  test('tells of a service that hashes only for known addresses', async () => {
    const passwords = createPasswords({ threads: 1, queueLimit: 10, pepper: null });
    const hash = await passwords.hash('the right password');
    const server = createServer(async (request, response) => {
      const text = await Array.fromAsync(request.setEncoding('utf8'));
      const { email, password } = JSON.parse(text.join(''));
      if (email === 'known@example.com') await passwords.verify(password, hash);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const probability = await compare(address, 'known@example.com', 'unknown@example.com', 30);
    server.close();
    await passwords.close();
    assert.ok(probability < LEVEL, String(probability));
  });

  test('calls the same times the same, a small shift another, and ignores outliers', () => {
    const spread = Array.from({ length: 2_000 }, (_, index) => 20 + index / 100);
    assert.ok(rankTest(spread, spread) > 0.9999);
    const shifted = spread.map((time) => time + 1);
    assert.ok(rankTest(spread, shifted) < LEVEL);
    const withOutliers = spread.map((time, index) => (index === 1_999 ? 10_000 : time));
    assert.ok(rankTest(spread, withOutliers) > 0.9);
    assert.equal(rankTest([1, 1, 1], [1, 1, 1]), 1);
  });

  test('gives the probabilities that statistics programs give', () => {
    const one = Array.from({ length: 20 }, (_, index) => index);
    for (const [shift, probability] of [
      [0.5, 0.786775],
      [7.5, 0.000966],
    ] as const) {
      const other = one.map((value) => value + shift);
      for (const found of [rankTest(one, other), rankTest(other, one)]) {
        assert.ok(Math.abs(found - probability) < 0.000_001, `${found} for a shift of ${shift}`);
      }
    }
  });
});
