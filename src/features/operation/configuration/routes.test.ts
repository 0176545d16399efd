import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, openService, useService } from '../../../../test/support/service.ts';
import { maskUrl } from '../../../config/read-settings.ts';
import { readConfig } from '../../../config.ts';
import { LIMIT_DEFINITIONS, LIMIT_NAMES } from '../../../rate-limits/limits.ts';
import type { EffectiveSetting } from '../../../settings/setting-definition.ts';
import { DEFINITIONS } from '../../../settings/table.ts';

const PATH = '/api/v1/admin/settings';

/** Settings that contain a secret, each with `canary` in all that must not be shown. */
const SECRETS = {
  ADMIN_TOKEN: `${ADMIN_TOKEN},canary-of-a-second-credential-of-the-administrator`,
  SECRET_KEY: 'canary-of-a-secret-key-of-more-than-32-characters',
  PASSWORD_PEPPER: 'canary-of-the-pepper',
  SMTP_URL: 'smtp://mailer:canary-of-mail@127.0.0.1:1',
};

interface LimitView {
  readonly name: string;
  readonly quota: number | null;
  readonly window_seconds: number | null;
}

describeOnSqlite('GET /api/v1/admin/settings', (engine) => {
  const service = useService(engine, {
    environment: { LOG_LEVEL: ' warn ', PUBLIC_URL: '', MAX_UNCLAIMED_USERS: 'off' },
  });
  const getSettings = ({ data }: { data: { settings: EffectiveSetting[] } }) =>
    new Map(data.settings.map((setting) => [setting.name, setting]));

  test('GET /api/v1/admin/settings returns each setting with the value that applies and its source', async () => {
    const { status, body } = await service.api.get(PATH, admin);
    assert.deepEqual([status, body.message], [200, 'Settings']);
    const settings = getSettings(body);
    const shown = { is_secret: false, is_set: true };
    const expected = [
      { name: 'HOST', value: '127.0.0.1', source: 'default', ...shown },
      { name: 'DATA_DIR', value: service.testDatabase.directory, source: 'environment', ...shown },
      { name: 'LOG_LEVEL', value: 'warn', source: 'environment', ...shown },
      { name: 'PUBLIC_URL', value: null, source: 'default', is_secret: false, is_set: false },
      { name: 'MAX_UNCLAIMED_USERS', value: 'off', source: 'environment', ...shown },
      { name: 'PASSWORD_QUEUE', value: '100', source: 'default', ...shown },
      { name: 'REQUIRE_VERIFIED_EMAIL', value: 'false', source: 'default', ...shown },
      { name: 'TOKEN_LIFETIME_DAYS', format: { kind: 'integer', minimum: 1, maximum: 3_650, unit: 'days' } },
      { name: 'PORT', format: null },
      { name: 'RATE_LIMIT_ANON', value: '120/60', source: 'default', ...shown },
      { name: 'ADMIN_TOKEN', value: null, source: 'environment', is_secret: true, is_set: true },
      { name: 'SECRET_KEY', value: null, source: 'default', is_secret: true, is_set: false },
    ];
    for (const setting of expected) assert.partialDeepStrictEqual(settings.get(setting.name), setting);
    assert.equal(settings.get('DATABASE_URL')!.is_set, service.testDatabase.url !== null);
  });

  test('GET /api/v1/admin/settings returns the rate limits in force', async (context) => {
    const off = (await service.api.get(PATH, admin)).body.data.limits;
    assert.deepEqual(
      off,
      LIMIT_NAMES.map((name) => ({ name, quota: null, window_seconds: null })),
    );
    const environment = { RATE_LIMITS: 'on', RATE_LIMIT_LOGIN: '7/8', RATE_LIMIT_USER: 'off' };
    const other = await openService(context, engine, { environment });
    const { limits } = (await other.api.get(PATH, admin)).body.data;
    const formatLimit = ({ quota, window_seconds }: LimitView) =>
      quota === null ? 'off' : `${quota}/${window_seconds}`;
    const texts = Object.fromEntries(limits.map((limit: LimitView) => [limit.name, formatLimit(limit)]));
    assert.deepEqual(texts, {
      ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMIT_DEFINITIONS[name][0]])),
      login: '7/8',
      user: 'off',
    });
  });

  test('GET /api/v1/admin/settings contains no secret of the settings', async (context) => {
    const mail = { MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://id.example.com' };
    const other = await openService(context, engine, { environment: { ...SECRETS, ...mail } });
    const { text, body } = await other.api.get(PATH, admin);
    assert.ok(!text.includes('canary'));
    assert.ok(!text.includes(ADMIN_TOKEN));
    const settings = getSettings(body);
    for (const name of Object.keys(SECRETS)) {
      const { is_secret, is_set } = settings.get(name)!;
      assert.deepEqual({ is_secret, is_set }, { is_secret: true, is_set: true }, name);
    }
    const { url } = other.testDatabase;
    const maskedUrl = url === null ? null : maskUrl(url);
    assert.equal(settings.get('DATABASE_URL')!.value, maskedUrl);
    assert.equal(settings.get('SMTP_URL')!.value, 'smtp://mailer:***@127.0.0.1:1');
  });
});

describe('settings that the administrator sees', () => {
  test('the settings that the administrator sees are those of the table, in its order', () => {
    assert.deepEqual(
      readConfig({}).settings.map(({ name }) => name),
      [...DEFINITIONS.keys()],
    );
  });
});
