import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, useSharedService } from '../../../test/support/service.ts';
import { readEntry } from './read-entry.ts';

const anyVersion = { 'if-match': '*' };
const invalid = ['The locale field must be a language tag in canonical form, such as de or pt-BR.'];

describeOnSqlite('the language of a user', (engine) => {
  const service = useSharedService(engine);
  const register = async (body: object, acceptLanguage?: string) => {
    const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
    const registered = await service.api.post('/api/register', { ...newUserData(), ...body }, { headers });
    assert.equal(registered.status, 201);
    return registered.body.access_token as string;
  };
  const readLocale = async (token: string) =>
    (await service.api.get('/api/v1/me', { token })).body.data.locale;

  test('a registration stores the language of the body, or else the first that Accept-Language prefers', async () => {
    for (const [body, header, expected] of [
      [{ locale: 'pt-BR' }, 'de', 'pt-BR'],
      [{}, 'en;q=0.5, DE-at, *', 'de-AT'],
      [{ locale: null }, 'fr-CH, fr;q=0.9', 'fr-CH'],
      [{}, '*', null],
      [{}, '!, de_DE', null],
    ] as const)
      assert.equal(await readLocale(await register(body, header)), expected, `${expected}`);
  });

  test('a language that is no BCP 47 tag in canonical form is rejected with 400, which names the member', async () => {
    const token = await register({});
    const { id } = (await service.api.get('/api/v1/me', { token })).body.data;
    for (const locale of [
      'de_DE',
      'DE',
      'pt-br',
      'iw',
      'german language',
      '*',
      'a',
      `en-x-${'a'.repeat(99)}`,
    ]) {
      for (const { status, body } of [
        await service.api.patch('/api/v1/me', { locale }, { token }),
        await service.api.patch(`/api/v1/users/${id}`, { locale }, admin),
        await service.api.post('/api/v1/users', { ...newUserData(), locale }, admin),
        await service.api.post('/api/register', { ...newUserData(), locale }),
      ]) {
        assert.equal(status, 400, locale);
        assert.deepEqual(body.errors, { locale: invalid });
      }
      assert.throws(
        () =>
          readEntry({ email: 'a@b.c', locale }, { isOwnHash: false, prehash: null, note: () => {}, now: 1 }),
        /locale/,
      );
    }
    const wrongType = await service.api.patch('/api/v1/me', { locale: 5 }, { token });
    assert.deepEqual(wrongType.body.errors, { locale: ['The locale field must be a string.'] });
  });

  test('users set their time zone by its IANA name, and null removes it', async () => {
    const token = await register({});
    const set = (zoneinfo: unknown) => service.api.patch('/api/v1/me', { zoneinfo }, { token });
    for (const zone of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', null])
      assert.equal((await set(zone)).body.data.zoneinfo, zone);
    for (const zone of ['Berlin', '+02:00', 'Europe/Berlin ', 'x'.repeat(300)]) {
      const { status, body } = await set(zone);
      assert.equal(status, 400, zone);
      assert.deepEqual(body.errors, {
        zoneinfo: ['The zoneinfo field must be a time zone such as Europe/Berlin.'],
      });
    }
    const { body } = await service.api.get('/api/v1/me/events?limit=1', { token });
    assert.deepEqual(body.data[0].changes, [{ name: 'zoneinfo' }]);
  });

  test('users and the administrator change the language, and null removes it', async () => {
    const token = await register({});
    const { id } = (await service.api.get('/api/v1/me', { token })).body.data;
    const own = await service.api.patch('/api/v1/me', { locale: 'gsw' }, { token });
    assert.deepEqual([own.body.data.locale, own.body.data.version], ['gsw', 2]);
    const changed = await service.api.patch(
      `/api/v1/users/${id}`,
      { locale: 'zh-Hant-TW' },
      { ...admin, headers: anyVersion },
    );
    assert.deepEqual([changed.body.data.locale, changed.body.data.version], ['zh-Hant-TW', 3]);
    const { body } = await service.api.get('/api/v1/me/events?limit=1', { token });
    assert.deepEqual(body.data[0].changes, [{ name: 'locale' }]);
    const removed = await service.api.patch('/api/v1/me', { locale: null }, { token });
    assert.equal(removed.body.data.locale, null);
  });

  test('created, listed and exported users have their language and time zone', async () => {
    const [zoneinfo, locale] = ['Europe/Berlin', 'de'];
    const created = await service.api.post('/api/v1/users', { ...newUserData(), locale, zoneinfo }, admin);
    const { id } = created.body.data;
    assert.equal(created.body.data.zoneinfo, zoneinfo);
    const batch = await service.api.post(
      '/api/v1/users/batch',
      {
        operations: [
          { action: 'create', user: { ...newUserData(), locale: 'fr', zoneinfo: 'Europe/Paris' } },
          { action: 'update', id, changes: { locale: 'de-CH' } },
        ],
      },
      admin,
    );
    const [french] = batch.body.data;
    const list = await service.api.get(`/api/v1/users?search=${french.data.id}`, admin);
    assert.deepEqual([list.body.data[0].locale, list.body.data[0].zoneinfo], ['fr', 'Europe/Paris']);
    const csv = (await service.api.get('/api/v1/admin/users/export', admin)).text;
    const lines: Record<string, string>[] = parse(csv, { columns: true });
    const exported = lines.find((line) => line.id === id)!;
    assert.deepEqual([exported.locale, exported.zoneinfo], ['de-CH', zoneinfo]);
    assert.equal(
      readEntry(
        { email: 'a@b.c', locale: 'de-CH' },
        { isOwnHash: false, prehash: null, note: () => {}, now: 1 },
      ).locale,
      'de-CH',
    );
  });
});
