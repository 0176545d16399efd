import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../test/support/events.ts';
import { run } from '../../test/support/processes/commands.ts';
import { describeOnEachEngine } from '../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, toEnvironment, useService } from '../../test/support/service.ts';
import { newId } from '../lib/secrets/ids.ts';

describeOnEachEngine('commands about webhooks', (engine) => {
  const service = useService(engine);
  const call = async (...args: string[]) => {
    const { code, stdout, lines } = await run(['webhooks', ...args], toEnvironment(service.testDatabase));
    assert.equal(code, 0, lines.join('\n'));
    return JSON.parse(stdout);
  };
  const fail = async (...args: string[]) => {
    const { code, lines } = await run(['webhooks', ...args], toEnvironment(service.testDatabase));
    assert.equal(code, 1);
    return lines.join('\n');
  };

  test('a webhook is created, tested, replayed, given a new secret and deleted by commands', async () => {
    const types = 'user.created,user.erased';
    const { secret, ...created } = await call('create', 'https://example.com/hook', '--types', types);
    assert.match(secret, /^whsec_/);
    assert.deepEqual(created.types, types.split(','));
    assert.deepEqual(await call('list'), [created]);
    const { delivery_id } = await call('test', created.id);
    const [delivery] = await call('deliveries', created.id);
    assert.deepEqual([delivery.id, delivery.type], [delivery_id, 'webhook.test']);
    assert.equal((await call('retry', created.id, delivery_id)).id, delivery_id);
    const { events } = await call('replay', created.id, '--since', '2026-01-05T00:00:00Z');
    assert.ok(events >= 0);
    assert.notEqual((await call('rotate-secret', created.id)).secret, secret);
    assert.deepEqual(await call('delete', created.id), { id: created.id, deleted: true });
    assert.deepEqual(await call('list'), []);
    await numberAllEvents(service.service.database);
    const path = `/api/v1/events?order=time&subject=webhook:${created.id}`;
    const { body } = await service.api.get(path, { token: ADMIN_TOKEN });
    const recorded: { type: string; details: object | null; actor: { name: string } }[] = body.data;
    assert.deepEqual(
      recorded.map(({ type, details }) => [type, details]),
      [
        ['webhook.created', null],
        ['webhook.tested', { delivery_id }],
        ['webhook.delivery_retried', { delivery_id }],
        ['webhook.replayed', { events }],
        ['webhook.secret_rotated', null],
        ['webhook.deleted', null],
      ],
    );
    assert.ok(recorded.every(({ actor }) => actor.name === 'command line'));
  });

  test('commands about webhooks reject unknown ids, types and URLs with a clear error', async () => {
    assert.match(await fail('test', newId()), /Webhook not found/);
    assert.match(await fail('create', 'http://127.0.0.1/'), /public address by https/);
    assert.match(
      await fail('create', 'https://example.com/', '--types', 'user.lost'),
      /unknown type.*user\.lost/,
    );
    assert.match(await fail('replay', newId()), /since/);
  });
});
