import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIALS, createCredential, newCredentialName } from '../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken, newCredential } from '../../lib/secrets/tokens.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';

const SECRET = /^fd_svc_[0-9A-Za-z]{49}$/;
const USERS = '/api/v1/users';
const token = ADMIN_TOKEN;
const STORED = sql<{ hash: string }>('select hash from credential_secrets where credential_id = $1');
const DELETE_ALL = sql('delete from credentials');

describeOnEachEngine('credentials', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  const create = (body: object, headers: Record<string, string> = {}) =>
    service.api.post(CREDENTIALS, body, { token, headers });
  const rotate = (path: string, body?: object) => service.api.post(`${path}/rotate`, body, { token });
  const status = async (secret: string) => (await service.api.get(USERS, { token: secret })).status;
  const listEvents = async (subject: string) => {
    await numberAllEvents(service.database);
    return (await service.api.get(`/api/v1/events?subject=${subject}&order=time`, { token })).body.data;
  };

  test('a credential is created with its secret in this response only, and stored by its hash', async () => {
    const body = { name: ' Support: Ada ', scopes: ['links:send', 'users:read', 'users:read'] };
    const { status: created, headers, body: response } = await create(body);
    assert.equal(created, 201);
    const { id, credential, ...record } = response.data;
    assert.match(credential, SECRET);
    assert.equal(headers.get('location'), `${CREDENTIALS}/${id}`);
    assert.equal(headers.get('cache-control'), 'no-store');
    const expected = {
      name: 'Support: Ada',
      scopes: ['users:read', 'links:send'],
      networks: null,
      first_characters: credential.slice(0, 12),
      created_at: new Date(clock.now).toISOString(),
      expires_at: null,
      last_used_at: null,
      rotated_at: null,
      previous_until: null,
      totp_enabled_at: null,
      current: false,
    };
    assert.deepEqual(record, expected);
    const read = await service.api.get(`${CREDENTIALS}/${id}`, { token });
    assert.deepEqual(read.body.data, { id, ...expected });
    const list = await service.api.get(CREDENTIALS, { token });
    assert.deepEqual(list.body.data.at(-1), { id, ...expected });
    assert.deepEqual(await service.database.all(STORED, id), [{ hash: hashToken(credential) }]);
    assert.equal(await status(credential), 200);
  });

  test('a credential is created once for one Idempotency-Key, and another credential does not get its secret', async () => {
    const body = { name: newCredentialName(), scopes: ['events:read'] };
    const headers = { 'idempotency-key': newId() };
    const [first, second] = [await create(body, headers), await create(body, headers)];
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    const { secret } = await createCredential(service, ['admin']);
    const other = await service.api.post(CREDENTIALS, body, { token: secret, headers });
    assert.deepEqual([other.status, other.body.code], [409, 'credential_name_taken']);
  });

  const valid = { scopes: ['admin'] };
  const rejected: readonly [object, string, string][] = [
    [{ name: 'Ada\u202eadA' }, 'name', 'The name field format is invalid.'],
    [{ name: 'Ada\nBob' }, 'name', 'The name field format is invalid.'],
    [
      { expires_at: '2026-01-01' },
      'expires_at',
      'The expires_at field must be a time such as 2026-01-05T09:30:00Z.',
    ],
    [{ expires_at: '2026-01-01T00:00:00Z' }, 'expires_at', 'The expires_at field must be in the future.'],
    [
      { networks: ['10.0.0.0/33'] },
      'networks',
      'The networks field must contain addresses or networks such as 192.0.2.0/24 only.',
    ],
  ];

  test('names of credentials are unique without case, accents and spaces, and not those of ADMIN_TOKEN and commands', async () => {
    await createCredential(service, ['admin'], { name: 'Zoë  Müller' });
    for (const name of [
      'zoe muller',
      'ZOË MÜLLER',
      'ADMIN_TOKEN',
      'admin_token',
      'Command  line',
      'console',
    ]) {
      const { status: rejection, body } = await create({ name, ...valid });
      assert.deepEqual([rejection, body.code], [409, 'credential_name_taken'], name);
      assert.deepEqual(body.errors, { name: ['The name has already been taken.'] });
    }
  });

  test('a rotated credential has a new secret, and the replaced one stays valid for the overlap', async () => {
    const { secret, path } = await createCredential(service, ['users:read'], { networks: ['127.0.0.1'] });
    const first = await rotate(path);
    assert.equal(first.status, 200);
    const { credential, ...record } = first.body.data;
    assert.match(credential, SECRET);
    assert.equal(record.rotated_at, new Date(clock.now).toISOString());
    assert.equal(record.previous_until, new Date(clock.now + DAY).toISOString());
    assert.deepEqual(record.networks, ['127.0.0.1/32']);
    assert.equal(record.first_characters, credential.slice(0, 12));
    assert.deepEqual([await status(secret), await status(credential)], [200, 200]);
    clock.now += DAY - 1;
    assert.equal(await status(secret), 200);
    clock.now += 1;
    assert.deepEqual([await status(secret), await status(credential)], [401, 200]);
    assert.equal((await service.api.get(path, { token })).body.data.previous_until, null);
  });

  test('a rotation within the overlap ends the oldest secret, and one without an overlap all earlier ones', async () => {
    const { secret, path, record } = await createCredential(service, ['users:read']);
    const second = (await rotate(path, { overlap: 3_600 })).body.data.credential;
    const third = (await rotate(path, { overlap: 3_600 })).body.data.credential;
    assert.deepEqual([await status(secret), await status(second), await status(third)], [401, 200, 200]);
    const last = (await rotate(path, { overlap: 0 })).body.data.credential;
    assert.deepEqual([await status(second), await status(third), await status(last)], [401, 401, 200]);
    assert.equal((await service.database.all(STORED, record.id)).length, 1);
    for (const overlap of [-1, 604_801, '60']) assert.equal((await rotate(path, { overlap })).status, 400);
  });

  test('changes of credentials and by credentials are events that name them, without the secret', async () => {
    const { secret, path, record } = await createCredential(service, ['admin']);
    const body = { name: newCredentialName(), scopes: ['users:read'] };
    const created = await service.api.post(CREDENTIALS, body, { token: secret });
    const other = `${CREDENTIALS}/${created.body.data.id}`;
    await service.api.post(`${other}/rotate`, { overlap: 60 }, { token: secret });
    await service.api.delete(other, { token: secret });
    const events = await listEvents(`credential:${created.body.data.id}`);
    const actor = { type: 'administrator', id: record.id, name: record.name, kind: 'credential' };
    assert.deepEqual(
      events.map(({ type, actor: by, details }: Record<string, unknown>) => [type, by, details]),
      [
        ['credential.created', actor, { name: body.name, scopes: 'users:read' }],
        ['credential.rotated', actor, { name: body.name, overlap_seconds: 60 }],
        ['credential.revoked', actor, { name: body.name }],
      ],
    );
    assert.ok(!JSON.stringify(events).includes('fd_svc_'));
    const [first] = await listEvents(`credential:${record.id}`);
    assert.deepEqual(first.actor, {
      type: 'administrator',
      id: null,
      name: 'ADMIN_TOKEN',
      kind: 'first_owner',
    });
    const byActor = await service.api.get(`/api/v1/events?actor=administrator:${record.id}`, { token });
    assert.equal(byActor.body.data.length, 3);
    await service.api.delete(path, { token });
  });

  test('there are at most 200 credentials, also with concurrent requests', async () => {
    await service.database.transaction((tx) => tx.run(DELETE_ALL));
    const INSERT = sql(`
      insert into credentials (id, name, name_key, scopes, first_characters, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 198)
      select 'id-' || cast(i as text), 'x', 'key-' || cast(i as text), 'admin', 'x', 1 from n`);
    await service.database.transaction((tx) => tx.run(INSERT));
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => create({ name: newCredentialName(), scopes: ['admin'] })),
    );
    assert.deepEqual(responses.map((response) => response.status).sort(), [201, 201, 409, 409]);
    const codes = responses.flatMap(({ body }) => body.code ?? []);
    assert.deepEqual(codes, ['too_many_credentials', 'too_many_credentials']);
    await service.database.transaction((tx) => tx.run(DELETE_ALL));
  });

  if (engine === 'postgres') return;

  test('a credential with an invalid member is rejected with 400, which names the member', async () => {
    for (const [member, name, message] of rejected) {
      const { status: rejection, body } = await create({ name: newCredentialName(), ...valid, ...member });
      assert.equal(rejection, 400, JSON.stringify(member));
      assert.deepEqual(body.errors, { [name]: [message] }, JSON.stringify(member));
    }
  });

  test('a credential is rejected with 401 from its expiry on', async () => {
    const expires_at = new Date(clock.now + HOUR).toISOString();
    const { secret, path } = await createCredential(service, ['users:read'], { expires_at });
    clock.now += HOUR - 1;
    assert.equal(await status(secret), 200);
    clock.now += 1;
    const { status: expired, headers } = await service.api.get('/api/v1/admin/dashboard', { token: secret });
    assert.equal(expired, 401);
    assert.match(headers.get('www-authenticate')!, /^Bearer realm="admin", error="invalid_token"/);
    assert.equal((await service.api.get(path, { token })).body.data.expires_at, expires_at);
    const { status: conflict, body } = await rotate(path);
    assert.deepEqual([conflict, body.code], [409, 'credential_expired']);
  });

  test('a revoked credential is rejected at once, like wrong ones, and not found', async () => {
    const { secret, path } = await createCredential(service, ['users:read']);
    assert.equal((await service.api.delete(path, { token })).status, 204);
    assert.equal(await status(secret), 401);
    assert.equal((await service.api.get(path, { token })).body.code, 'credential_not_found');
    for (const wrong of [newCredential(), `${secret}x`, secret.slice(0, -1)])
      assert.equal(await status(wrong), 401);
  });

  test('a credential may rotate and revoke itself', async () => {
    const { secret, path } = await createCredential(service, ['admin']);
    const rotated = await service.api.post(`${path}/rotate`, { overlap: 0 }, { token: secret });
    const { credential, current } = rotated.body.data;
    assert.deepEqual([rotated.status, current], [200, true]);
    assert.equal((await service.api.delete(path, { token: credential })).status, 204);
    assert.equal(await status(credential), 401);
  });

  test('the last use of a credential is written after the response', async () => {
    const { secret, path } = await createCredential(service, ['users:read']);
    const lastUsed = async () => (await service.api.get(path, { token })).body.data.last_used_at;
    const isLastUsedNow = async () => (await lastUsed()) === new Date(clock.now).toISOString();
    assert.equal(await lastUsed(), null);
    await status(secret);
    await until(isLastUsedNow, 'the first use is written');
    clock.now += MINUTE;
    await status(secret);
    await until(isLastUsedNow, 'the use a minute later is written');
  });
});
