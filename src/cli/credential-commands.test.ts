import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../test/support/events.ts';
import { manualClock } from '../../test/support/limits.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { admin, toEnvironment, useService } from '../../test/support/service.ts';

describeOnSqlite('commands about credentials', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });
  const call = async (...args: string[]) => {
    const { code, stdout, lines } = await run(['credentials', ...args], toEnvironment(service.testDatabase));
    assert.equal(code, 0, lines.join('\n'));
    return JSON.parse(stdout);
  };
  const fail = async (...args: string[]) => {
    const { code, lines } = await run(['credentials', ...args], toEnvironment(service.testDatabase));
    assert.equal(code, 1);
    return lines.join('\n');
  };
  const status = async (token: string) => (await service.api.get('/api/v1/users', { token })).status;

  test('a credential is created with the scopes of a role by a command', async () => {
    const options = ['--role', 'support', '--scopes', 'events:read', '--networks', '127.0.0.1, 10.1.2.3/8'];
    const { credential, ...created } = await call('create', 'help desk', ...options);
    assert.deepEqual(created.scopes, [
      'users:read',
      'users:write',
      'tokens:write',
      'links:send',
      'groups:read',
      'events:read',
    ]);
    assert.deepEqual(created.networks, ['127.0.0.1/32', '10.0.0.0/8']);
    assert.equal(await status(credential), 200);
    await numberAllEvents(service.database);
    const path = `/api/v1/events?subject=credential:${created.id}`;
    const [event] = (await service.api.get(path, admin)).body.data;
    assert.deepEqual([event.type, event.actor.name], ['credential.created', 'command line']);
  });

  test('commands about credentials reject wrong values with a clear error', async () => {
    assert.match(await fail('create', 'x'), /--role or --scopes/);
    assert.match(await fail('create', 'x', '--role', 'king'), /support/);
    assert.match(await fail('create', 'x', '--scopes', 'everything'), /scopes/);
    assert.match(
      await fail('create', 'x', '--role', 'owner', '--expires', 'soon'),
      /expires_at field must be a time/,
    );
    assert.match(await fail('create', 'ADMIN_TOKEN', '--role', 'owner'), /already been taken/);
  });
});
