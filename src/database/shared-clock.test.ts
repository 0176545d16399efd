import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { startSharedClock } from './shared-clock.ts';

const HOUR = 3_600_000;

/** Readings that the test provides one by one; `requested` resolves when the clock asks for the next one. */
function readings() {
  let request = Promise.withResolvers<void>();
  let reading = Promise.withResolvers<number>();
  let requests = 0;
  return {
    readTime: () => {
      requests++;
      request.resolve();
      return reading.promise;
    },
    requested: () => request.promise,
    requests: () => requests,
    /** Responds to the request with a time, or with an error. */
    respond: async (response: number | Error) => {
      await request.promise;
      const { resolve, reject } = reading;
      request = Promise.withResolvers();
      reading = Promise.withResolvers();
      if (response instanceof Error) reject(response);
      else resolve(response);
    },
  };
}

/** Starts a clock with the first reading. The monotonic clock does not advance, so that steps are exact. */
async function start(context: TestContext, first: number) {
  const source = readings();
  const skews: number[] = [];
  const starting = startSharedClock({
    readTime: source.readTime,
    onSkew: (skewMs) => skews.push(skewMs),
    intervalMs: 1,
    monotonicClock: () => 1_000,
  });
  await source.respond(first);
  const { clock, close } = await starting;
  context.after(close);
  return { ...source, clock, close, skews };
}

describe('the clock of a shared database', () => {
  // The timer of the clock does not keep the process alive.
  const waiting = setInterval(() => {}, HOUR);
  after(() => clearInterval(waiting));

  test('the shared clock follows the database when its clock is set', async (context) => {
    const { clock, respond, requested } = await start(context, 5_000_000);
    assert.equal(clock(), 5_000_000);
    for (const time of [5_000_000 + HOUR, 5_000_000 - HOUR]) {
      await respond(time);
      await requested();
      // One millisecond is the precision of a reading.
      assert.ok(Math.abs(clock() - time) <= 1);
    }
  });

  test('the shared clock continues while the database is unavailable, and follows it again afterwards', async (context) => {
    const { clock, respond, requested } = await start(context, 5_000_000);
    for (let failure = 0; failure < 3; failure++) await respond(new Error('away'));
    await requested();
    assert.equal(clock(), 5_000_000);
    await respond(5_000_000 + HOUR);
    await requested();
    assert.ok(clock() >= 5_000_000 + HOUR - 1);
  });

  test('the shared clock does not start without a reading', async () => {
    const readTime = () => Promise.reject(new Error('away'));
    await assert.rejects(startSharedClock({ readTime, onSkew: () => {} }), /away/);
  });

  test('the shared clock reports a difference of more than five seconds once, until it agrees again', async (context) => {
    const now = Date.now();
    context.mock.timers.enable({ apis: ['Date'], now });
    const { skews, respond, requested } = await start(context, now - HOUR);
    for (const offset of [-HOUR, -2 * HOUR, 4_000, -4_000, 6_000]) await respond(now + offset);
    await requested();
    assert.equal(skews.length, 2);
    assert.ok(Math.abs(skews[0]! - HOUR) <= 1);
    assert.ok(Math.abs(skews[1]! + 6_000) <= 1);
  });

  test('the shared clock ignores a late reading and requests no more after it was closed', async (context) => {
    const { clock, close, respond, requested, requests } = await start(context, 5_000_000);
    await requested();
    close();
    await respond(5_000_000 + HOUR);
    // It would request at least as often as a clock that starts later.
    const other = await start(context, 0);
    for (let reading = 0; reading < 3; reading++) await other.respond(0);
    assert.equal(requests(), 2);
    assert.equal(clock(), 5_000_000);
  });
});
