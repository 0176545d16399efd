import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, newClientIp } from '../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, useService } from '../../../test/support/service.ts';
import { register } from '../../../test/support/users.ts';
import { HOUR } from '../../lib/time.ts';

const toPath = ({ id }: { id: string }) => `/api/v1/users/${id}`;

describeOnEachEngine('the lock of a user after failed logins', (engine) => {
  const limits = { LOGIN: 'off', LOGIN_FAIL: '3/60', LOGIN_ACCOUNT: '5/3600' };
  const variables = Object.entries(limits).map(([name, value]) => [`RATE_LIMIT_${name}`, value]);
  const service = useService(engine, limited(Object.fromEntries(variables)));
  const logIn = async ({ email, password }: { email: string; password: string }, address: string) =>
    (await service.api.post('/api/login', { email, password }, fromIp(address))).status;
  const fail = async (person: { email: string }, addresses: readonly string[]) => {
    for (const address of addresses)
      assert.equal(await logIn({ ...person, password: 'a wrong password' }, address), 401);
  };
  const readLock = async (person: { id: string }) =>
    (await service.api.get(toPath(person), admin)).body.data.locked_until;
  const unlock = async (person: { id: string }, token = ADMIN_TOKEN) =>
    (await service.api.delete(`${toPath(person)}/lock`, { token })).status;
  const countUnlocks = async ({ id }: { id: string }) => {
    const path = `/api/v1/events?type=account.unlocked&subject=user:${id}`;
    return (await service.api.get(path, admin)).body.data.length;
  };

  test('a user who is locked from anywhere is shown with the end of the lock, and logs in after an administrator ended it', async () => {
    const person = await register(service);
    assert.equal(await readLock(person), undefined);
    await fail(person, Array.from({ length: 5 }, newClientIp));
    assert.equal(await logIn(person, newClientIp()), 429);
    const { locked_until, created_at } = (await service.api.get(toPath(person), admin)).body.data;
    // Not compared with the time of this process: on PostgreSQL, the clock of the service has stopped.
    const wait = Date.parse(locked_until) - Date.parse(created_at);
    assert.ok(wait > 0 && wait < 2 * HOUR, `${wait}`);
    const own = await service.api.get(toPath(person), { token: person.token });
    assert.ok(!('locked_until' in own.body.data), 'the user does not see it');
    assert.deepEqual([await unlock(person), await unlock(person)], [204, 204]);
    assert.equal(await readLock(person), undefined);
    assert.equal(await countUnlocks(person), 1);
    assert.equal(await logIn(person, newClientIp()), 200);
  });

  const NEW_PASSWORD = 'paper lantern under the bridge';
  const ENDS = {
    'an administrator unlocks them': async (person: { id: string }) => {
      assert.equal(await unlock(person), 204);
      assert.equal(await countUnlocks(person), 1);
    },
    'an administrator sets a password': async (person: { id: string; password: string }) => {
      const body = { password: NEW_PASSWORD };
      assert.equal((await service.api.put(`${toPath(person)}/password`, body, admin)).status, 200);
      person.password = NEW_PASSWORD;
    },
  };
  if (engine === 'postgres') return;

  for (const [end, act] of Object.entries(ENDS)) {
    test(`a user who is locked in a network, known or new, or before the first login, is shown so until ${end}`, async () => {
      const [home, elsewhere] = [newClientIp(), newClientIp()];
      for (const { isKnown, place } of [
        { isKnown: false, place: elsewhere },
        { isKnown: true, place: elsewhere },
        { isKnown: true, place: home },
      ]) {
        const person = { ...(await register(service)) };
        const other = await register(service);
        if (isKnown) assert.equal(await logIn(person, home), 200);
        await fail(person, [place, place, place]);
        await fail(other, [place, place, place]);
        assert.equal(await logIn(person, place), 429);
        assert.ok(await readLock(person));
        await act(person);
        assert.equal(await readLock(person), undefined);
        assert.ok(await readLock(other), 'other users stay locked');
        assert.equal(await logIn(person, place), 200);
      }
    });
  }

  test('an unclaimed record does not show the lock of the account that owns its email', async () => {
    const person = await register(service);
    await fail(person, Array.from({ length: 5 }, newClientIp));
    const created = await service.api.post('/api/v1/users', { email: person.email });
    assert.equal(await readLock(created.body.data), undefined);
  });
});
