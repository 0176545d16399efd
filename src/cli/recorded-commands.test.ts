import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../test/support/events.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, toEnvironment, useService } from '../../test/support/service.ts';
import { readOrCreateSecretFile } from '../startup/secret-files.ts';

describeOnSqlite('commands that are recorded', (engine) => {
  const service = useService(engine);

  test('commands that export data or change the service as a whole are recorded as events of the command line', async () => {
    const { database } = service.service;
    readOrCreateSecretFile(service.testDatabase.directory, 'admin-token');
    const commands = [
      'users export',
      'users export --with-password-hashes',
      'mail retry',
      'statistics recompute',
      'accept-secret-key',
      'admin-token rotate',
      // These only read.
      'events verify',
      'signing-keys list',
    ];
    for (const command of commands) {
      const environment = toEnvironment(
        service.testDatabase,
        command.startsWith('admin') ? { ADMIN_TOKEN: '' } : {},
      );
      const { code, lines } = await run(command.split(' '), environment);
      assert.equal(code, 0, lines.join('\n'));
    }
    await numberAllEvents(database);
    const { body } = await service.api.get('/api/v1/events?order=time&actor=administrator', {
      token: ADMIN_TOKEN,
    });
    const events: { type: string; subject: string; actor: object; details: object | null }[] = body.data;
    assert.deepEqual(
      events.map(({ type, subject, details }) => [type, subject, details]),
      [
        ['users.exported', 'users', { with_password_hashes: false }],
        ['users.exported', 'users', { with_password_hashes: true }],
        ['mail.retried', 'mail', null],
        ['statistics.recomputed', 'statistics', null],
        ['secret_key.accepted', 'settings', null],
        ['admin_token.rotated', 'settings', null],
      ],
    );
    for (const { actor } of events)
      assert.deepEqual(actor, {
        type: 'administrator',
        id: null,
        name: 'command line',
        kind: 'command_line',
      });
  });
});
