/** Delay of other requests by the deletion of a user with a million security events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { insertTestEvents } from '../../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, register } from '../../../../test/support/users.ts';
import { findUser } from '../../users/records/queries.ts';

const EVENTS = 1_000_000;
/** Of processor time: other programs do not count. */
const MAX_STOP_MS = 500;
/** Requests of another client meanwhile, one after the other: thousands on an idle machine. */
const MIN_REQUESTS = 100;
/** A million rows take minutes on a machine that does other work, too. */
const TIMEOUT_MS = 900_000;

/** Returns a function that ends the measurement, and returns the processor time of the longest turn of the event loop. */
function measureTurns(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

describeOnEachEngine('the erasure of a million security events', (engine) => {
  const service = useService(engine, { environment: { MAIL_TO_LOG: 'true' } });

  test('the erasure of a user with a million events stops neither other requests nor the event loop', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const { api } = service;
    const { database } = service;
    const person = await register(service);
    const other = await insertLoggedInUser(database);
    await insertTestEvents(database, person.id, EVENTS);
    const { token } = person;
    let requests = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; requests++) await api.patch('/api/v1/me', { name: 'Ada' }, { token: other.token });
    })();
    const endTurns = measureTurns();
    await api.post('/api/v1/password-resets', { email: person.email });
    const change = { email: 'another@example.com', current_password: person.password };
    assert.equal((await api.patch('/api/v1/me', change, { token })).status, 200);
    const body = { current_password: person.password };
    assert.equal((await api.delete('/api/v1/me', { token, body })).status, 204);
    while ((await findUser(database, person.id)) !== undefined) await pause(10);
    const longest = endTurns();
    isOver = true;
    await others;
    assert.ok(longest < MAX_STOP_MS, `a turn of the event loop took ${longest} ms`);
    context.diagnostic(`${requests} requests, and turns of at most ${Math.round(longest)} ms`);
    assert.ok(requests > MIN_REQUESTS, `${requests} other requests`);
  });
});
