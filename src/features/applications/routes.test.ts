import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApplication, REDIRECT_URI } from '../../../test/support/applications.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { numberAllEvents } from '../events/numbering/number-events.ts';
import { readLatestOfSubject } from '../events/queries.ts';

const PATH = '/api/v1/applications';
const token = ADMIN_TOKEN;

describeOnEachEngine('applications', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock });
  const create = (members: object) =>
    service.api.post(
      PATH,
      { name: 'Wiki', kind: 'web', redirect_uris: [REDIRECT_URI], ...members },
      { token },
    );

  test('an application is created with a secret that is shown once, changed, and deleted, with events', async () => {
    const created = await create({ name: 'Wiki' });
    const { client_secret, ...application } = created.body.data;
    assert.match(client_secret, /^fd_app_\w{49}$/);
    assert.deepEqual(
      [application.scopes, application.id_token_alg, application.device, application.version],
      [['self:read'], 'RS256', false, 1],
    );
    const path = created.headers.get('location')!;
    const read = await service.api.get(path, { token });
    assert.deepEqual([read.body.data, read.headers.get('etag')], [application, '"1"']);

    const changes = {
      name: 'Handbook',
      token_lifetime_days: 7,
      device: true,
      post_logout_redirect_uris: ['https://app.example.com/'],
    };
    const change = () => service.api.patch(path, changes, { token, headers: { 'if-match': '*' } });
    const changed = await change();
    assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"2"']);
    assert.deepEqual(changed.body.data, {
      ...application,
      ...changes,
      updated_at: changed.body.data.updated_at,
      version: 2,
    });
    assert.equal((await change()).body.data.version, 2);

    clock.now += 1_000;
    const rotated = await service.api.post(`${path}/rotate-secret`, {}, { token });
    const { updated_at, rotated_at, version } = rotated.body.data;
    assert.deepEqual([updated_at, version], [rotated_at, 3]);
    assert.equal(updated_at, new Date(clock.now).toISOString());
    assert.notEqual(rotated.body.data.client_secret, client_secret);
    assert.ok(rotated.body.data.previous_until > rotated.body.data.rotated_at);

    assert.equal((await service.api.delete(path, { token })).status, 204);
    assert.equal((await service.api.get(path, { token })).status, 404);
    const { database } = service;
    await numberAllEvents(database);
    const events = await readLatestOfSubject(database, `application:${application.id}`, 10);
    const types = ['created', 'updated', 'secret_rotated', 'deleted'].map((type) => `application.${type}`);
    assert.deepEqual(events.map(({ type }) => type).reverse(), types);
  });

  test('applications are listed, oldest first, without secrets', async () => {
    const ids = [(await createApplication(service)).id, (await createApplication(service)).id];
    const { data } = (await service.api.get(PATH, { token })).body;
    assert.deepEqual(
      data.slice(-2).map(({ id }: { id: string }) => id),
      ids,
    );
    assert.ok(!('client_secret' in data.at(-1)));
  });

  test('the key of another algorithm is published when an application changes to it', async () => {
    const listAlgorithms = async () => {
      const { keys } = (await service.api.get('/.well-known/jwks.json')).body;
      return keys.map(({ alg }: { alg: string }) => alg).sort();
    };
    const { id } = await createApplication(service);
    assert.deepEqual(await listAlgorithms(), ['RS256']);
    const options = { token, headers: { 'if-match': '*' } };
    await service.api.patch(`${PATH}/${id}`, { id_token_alg: 'ES256' }, options);
    assert.deepEqual(await listAlgorithms(), ['ES256', 'RS256']);
  });

  test('a name is taken also in another case, and a public application has no secret to rotate', async () => {
    const name = `Portal ${Date.now()}`;
    const { body } = await create({ name, kind: 'public' });
    assert.equal(body.data.client_secret, null);
    const taken = await create({ name: name.toUpperCase() });
    assert.deepEqual([taken.status, taken.body.code], [409, 'application_name_taken']);
    const rotated = await service.api.post(`${PATH}/${body.data.id}/rotate-secret`, {}, { token });
    assert.deepEqual([rotated.status, rotated.body.code], [409, 'application_without_secret']);
    const renamed = await service.api.patch(
      `${PATH}/${(await createApplication(service)).id}`,
      { name },
      { token, headers: { 'if-match': '*' } },
    );
    assert.equal(renamed.body.code, 'application_name_taken');
  });

  for (const [member, value] of [
    ['redirect_uris', ['http://app.example.com/']],
    ['redirect_uris', ['https://app.example.com/*']],
    ['redirect_uris', ['com.example.app:/callback']],
    ['post_logout_redirect_uris', ['https://app.example.com/#x']],
    ['jwt_audiences', ['orders']],
  ] as [string, unknown][])
    test(`an application with ${member} ${JSON.stringify(value).slice(0, 50)} is rejected`, async () => {
      const { status, body } = await create({ name: 'Rejected', [member]: value });
      assert.deepEqual([status, Object.keys(body.errors ?? {})[0]?.split('.')[0]], [400, member]);
    });
});

describeOnEachEngine('audiences of applications', (engine) => {
  const environment = { PUBLIC_URL: 'https://id.example.com', JWT_AUDIENCES: 'orders, search' };
  const service = useService(engine, { environment });

  test('the audiences of an application are those of JWT_AUDIENCES, none at first, each once', async () => {
    const { id } = await createApplication(service);
    const change = async (jwt_audiences: readonly string[]) =>
      service.api.patch(`${PATH}/${id}`, { jwt_audiences }, { token, headers: { 'if-match': '*' } });
    assert.deepEqual((await service.api.get(`${PATH}/${id}`, { token })).body.data.jwt_audiences, []);
    const { body } = await change(['search', 'orders', 'search']);
    assert.deepEqual([body.data.jwt_audiences, body.data.version], [['search', 'orders'], 2]);
    assert.equal((await change(['search', 'orders'])).body.data.version, 2);
    assert.deepEqual((await change(['Orders'])).body.errors, {
      jwt_audiences: ['The jwt_audiences field must contain names of JWT_AUDIENCES only.'],
    });
  });
});
