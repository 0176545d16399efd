import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, startService, useService } from '../../../test/support/service.ts';
import { REJECTED_URLS } from '../../../test/support/ssrf-attacks.ts';
import { sql } from '../../database/database.ts';
import { DAY } from '../../lib/time.ts';
import { createSecretSeal } from './change-webhook.ts';
import { findSecrets } from './queries.ts';

const HOOK = 'https://example.com/hook';
const PATH = '/api/v1/webhooks';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const SECRET_KEY = 'secret-key-of-the-tests-of-webhooks';
const FAIL = sql(
  "update webhook_endpoints set enabled = 0, disabled_reason = 'failing', failing_since = 1 where id = $1",
);
const REPLACE_SECRET = sql('update webhook_endpoints set secret = $2 where id = $1');
const DELETE_ALL = sql('delete from webhook_endpoints');
const token = ADMIN_TOKEN;
/** The health of a webhook without deliveries. */
const QUIET = { recent: { delivered: 0, failed: 0, pending: 0 }, pending: 0, undelivered: 0 };

describeOnEachEngine('webhooks', (engine) => {
  let now = Date.UTC(2026, 0, 1);
  const service = useService(engine, { clock: () => now, environment: { SECRET_KEY } });
  const { database } = service;
  const create = (body: object = { url: HOOK }, headers: Record<string, string> = {}) =>
    service.api.post(PATH, body, { token, headers });
  // No test causes an event of this type: nothing is delivered to it.
  const createWebhook = async (body: object = { url: HOOK, types: ['users.exported'] }) => {
    const response = await create(body);
    assert.equal(response.status, 201);
    const { secret, ...webhook } = response.body.data;
    return { secret: secret as string, webhook, path: `${PATH}/${webhook.id}` };
  };
  const get = (path: string) => service.api.get(path, { token });
  const change = (path: string, changes: unknown, ifMatch: string) =>
    service.api.patch(path, changes, { token, headers: { 'if-match': ifMatch } });
  const rotate = (path: string) => service.api.request('POST', `${path}/rotate-secret`, { token });

  test('a webhook is created for all types and enabled, with its secret in this response only', async () => {
    const { status, headers, body } = await create();
    assert.equal(status, 201);
    const { id, secret, ...webhook } = body.data;
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.equal(headers.get('etag'), '"1"');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(secret, SECRET);
    assert.deepEqual(webhook, {
      url: HOOK,
      types: null,
      description: null,
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      last_error: null,
      previous_secret_until: null,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
      version: 1,
    });
    const read = await get(`${PATH}/${id}`);
    assert.equal(read.headers.get('etag'), '"1"');
    assert.deepEqual(read.body, { message: `Webhook ${id}`, data: { id, ...webhook, ...QUIET } });
    const listed = (await get(PATH)).body;
    assert.equal(listed.message, 'Webhooks list');
    assert.deepEqual(listed.data.at(-1), { id, ...webhook, ...QUIET });
  });

  test('a webhook is created with types, a description and disabled', async () => {
    const { webhook, path } = await createWebhook({
      url: ' HTTPS://Example.com:443/a/../hook ',
      types: ['user.erased', 'user.created', 'user.erased'],
      description: ' Newsletter ',
      enabled: false,
    });
    assert.equal(webhook.url, HOOK);
    assert.deepEqual(webhook.types, ['user.created', 'user.erased']);
    assert.equal(webhook.description, 'Newsletter');
    assert.deepEqual([webhook.enabled, webhook.disabled_reason], [false, 'administrator']);
    assert.deepEqual((await get(path)).body.data, { ...webhook, ...QUIET });
  });

  test('webhooks are at most 50, also if several are created at once', async () => {
    await service.database.transaction((tx) => tx.run(DELETE_ALL));
    for (let i = 0; i < 45; i++) await createWebhook();
    const responses = await Promise.all(Array.from({ length: 12 }, () => create()));
    const rejected = responses.filter(({ status }) => status === 409);
    assert.equal(responses.filter(({ status }) => status === 201).length, 5);
    assert.equal(rejected.length, 7);
    assert.deepEqual(rejected[0]!.body, {
      error: 'The service has the maximum number of webhooks',
      code: 'too_many_webhooks',
    });
    const { data } = (await get(PATH)).body;
    assert.equal(data.length, 50);
    assert.equal((await service.api.delete(`${PATH}/${data[0].id}`, { token })).status, 204);
    await createWebhook();
    await service.database.transaction((tx) => tx.run(DELETE_ALL));
  });

  test('a webhook that is disabled and enabled again has no failures and no reason', async () => {
    const { path, webhook } = await createWebhook();
    const disabled = (await change(path, { enabled: false }, '*')).body.data;
    assert.deepEqual([disabled.enabled, disabled.disabled_reason], [false, 'administrator']);
    await service.database.transaction((tx) => tx.run(FAIL, webhook.id));
    const failing = (await get(path)).body.data;
    assert.deepEqual(
      [failing.disabled_reason, failing.failing_since],
      ['failing', '1970-01-01T00:00:00.001Z'],
    );
    // It is disabled already: the reason stays.
    assert.equal((await change(path, { enabled: false }, '*')).body.data.disabled_reason, 'failing');
    const enabled = (await change(path, { enabled: true }, '*')).body.data;
    assert.deepEqual([enabled.enabled, enabled.disabled_reason, enabled.failing_since], [true, null, null]);
  });

  test('the secret of a webhook is rotated: both are valid for 24 hours, and stored encrypted', async () => {
    const { path, secret, webhook } = await createWebhook();
    const seal = createSecretSeal(SECRET_KEY);
    const validSecrets = async () =>
      (await findSecrets(database, webhook.id, now)).map(
        (sealed) => `whsec_${Buffer.from(seal.unseal(webhook.id, sealed)).toString('base64')}`,
      );
    assert.deepEqual(await validSecrets(), [secret]);
    const { status, headers, body } = await rotate(path);
    assert.equal(status, 200);
    assert.equal(headers.get('etag'), '"2"');
    assert.equal(headers.get('cache-control'), 'no-store');
    const { secret: second, ...rotated } = body.data;
    assert.match(second, SECRET);
    assert.notEqual(second, secret);
    assert.equal(rotated.previous_secret_until, new Date(now + DAY).toISOString());
    assert.deepEqual((await get(path)).body.data, { ...rotated, ...QUIET });
    assert.deepEqual(await validSecrets(), [second, secret]);
    const third = (await rotate(path)).body.data.secret;
    assert.deepEqual(await validSecrets(), [third, second]);
    now += DAY;
    assert.deepEqual(await validSecrets(), [third]);
    assert.equal((await get(path)).body.data.previous_secret_until, null);
  });

  test('the rotation of a secret that was encrypted by a lost SECRET_KEY keeps only the new one', async () => {
    const { path, webhook } = await createWebhook();
    const lost = createSecretSeal('another-key-that-was-lost-before').seal(webhook.id, Buffer.from('lost'));
    await database.transaction((tx) => tx.run(REPLACE_SECRET, webhook.id, lost));
    const { status, body } = await rotate(path);
    assert.deepEqual([status, body.data.previous_secret_until], [200, null]);
    assert.equal((await findSecrets(database, webhook.id, now)).length, 1);
  });

  if (engine === 'postgres') return;

  test('a webhook with a URL that nothing can be delivered to is rejected with 400, also by a change', async () => {
    const { webhook, path } = await createWebhook();
    const before = (await get(PATH)).body.data.length;
    for (const { url, reason } of REJECTED_URLS) {
      for (const response of [await create({ url }), await change(path, { url }, '*')]) {
        assert.equal(response.status, 400, `${url} ${reason}`);
        assert.deepEqual(Object.keys(response.body.errors), ['url']);
        assert.match(response.body.errors.url[0], /^The url field must .*\.$/);
      }
    }
    assert.deepEqual((await get(path)).body.data, { ...webhook, ...QUIET });
    assert.equal((await get(PATH)).body.data.length, before);
  });

  test('a webhook may lead into networks of WEBHOOK_ALLOW by http', async () => {
    const environment = { WEBHOOK_ALLOW: '127.0.0.0/8' };
    const allowing = await startService(engine, { environment });
    for (const [url, status] of [
      ['http://127.0.0.1:3001/hook', 201],
      ['http://localhost:3001/hook', 201],
      ['http://10.0.0.1/hook', 400],
    ] as const)
      assert.equal((await allowing.api.post(PATH, { url }, { token })).status, status, url);
    await allowing.stop();
  });
});
