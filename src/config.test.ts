import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { assertRejected, readCurrentSettings } from '../test/support/settings.ts';
import { readConfig } from './config.ts';

const SECRET = 'a-secret-that-no-message-contains';

describe('readConfig', () => {
  test('readConfig accepts an empty environment, with which only this machine can reach the service', () => {
    const config = readConfig({});
    const { host, port, databaseUrl, adminTokens, secretKey, publicUrl } = config;
    assert.deepEqual({ host, port }, { host: '127.0.0.1', port: 3000 });
    assert.deepEqual(
      { databaseUrl, adminTokens, secretKey },
      { databaseUrl: null, adminTokens: null, secretKey: null },
    );
    assert.equal(config.dataDir, resolve('data'));
    assert.equal(publicUrl, '');
    assert.equal(readCurrentSettings().tokenLifetimeSeconds, 30 * 24 * 60 * 60);
    assert.deepEqual([config.corsOrigins, config.trustProxy], [[], []]);
  });

  test('readConfig treats an empty or blank variable as not set', () => {
    const names = ['HOST', 'PORT', 'DATABASE_URL', 'ADMIN_TOKEN', 'LOG_LEVEL', 'CORS_ORIGINS'];
    for (const blank of ['', '  ']) {
      const environment = Object.fromEntries(names.map((name) => [name, blank]));
      assert.deepEqual(readConfig(environment), readConfig({}));
    }
  });

  test('readConfig quotes an invalid value in the message, on one line also if it contains line breaks', () => {
    assert.ok(assertRejected('PORT', '42\n10').endsWith(', not "42\\n10"'));
    for (const name of ['LOG_LEVEL', 'CORS_ORIGINS', 'TRUST_PROXY', 'RATE_LIMIT_LOGIN'])
      assert.ok(assertRejected(name, 'say "a\r\nb"').endsWith(String.raw`, not "say \"a\r\nb\""`));
  });

  test('readConfig returns frozen settings', () => {
    assert.ok(Object.isFrozen(readConfig({})));
  });

  const wrongSettings: Record<string, string> = {
    DATABASE_POOL: '0',
    ADMIN_TOKEN: SECRET.slice(0, 31),
    SECRET_KEY: SECRET.slice(0, 31),
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'example.com',
    CORS_ORIGINS: 'https://app.example.com/path',
    TRUST_PROXY: 'the-proxy',
    RATE_LIMITS: 'yes',
    REUSE_PORT: 'yes',
    RATE_LIMIT_LOGIN_FAIL: '5',
    LOAD_SHEDDING_MS: '9',
    PASSWORD_POLICY: 'none',
    PASSWORD_THREADS: 'many',
    PASSWORD_QUEUE: '-1',
    PASSWORD_MAX_WAIT_MS: '99',
    REGISTRATION: 'yes',
    USERS_CREATE: 'no',
    MAX_UNCLAIMED_USERS: '0',
    UNCLAIMED_USERS_DAYS: '0',
    TOKEN_LIFETIME_DAYS: '1.5',
    SHUTDOWN_DELAY_SECONDS: '10s',
    SMTP_URL: `http://user:${SECRET}@mail.example.com`,
    MAIL_FROM: 'no address',
    MAIL_TO_LOG: 'yes',
  };
  for (const [name, value] of Object.entries(wrongSettings)) {
    test(`readConfig rejects an invalid ${name} with its name, and repeats no secret`, () => {
      assert.ok(!assertRejected(name, value).includes(SECRET.slice(0, 31)));
    });
  }

  const numbers: Record<string, [min: number, max: number]> = {
    PORT: [0, 65_535],
    DATABASE_POOL: [1, 1_000],
    PASSWORD_THREADS: [1, 256],
    PASSWORD_QUEUE: [1, 100_000],
    PASSWORD_MAX_WAIT_MS: [100, 60_000],
    TOKEN_LIFETIME_DAYS: [1, 3_650],
    MAX_UNCLAIMED_USERS: [1, 1_000_000_000],
    UNCLAIMED_USERS_DAYS: [1, 3_650],
    SHUTDOWN_DELAY_SECONDS: [0, 300],
    LOAD_SHEDDING_MS: [10, 60_000],
  };
  for (const [name, [min, max]] of Object.entries(numbers)) {
    test(`readConfig accepts integers from ${min} to ${max} as ${name} and rejects anything else`, () => {
      const accepted = fc.integer({ min, max });
      const beyond = fc.oneof(fc.integer({ max: min - 1 }), fc.integer({ min: max + 1 })).map(String);
      const garbage = fc.oneof(fc.constantFrom('1e3', '0x10', '1.0', '+1', '1 000', 'Infinity'), fc.string());
      const isNotNumeric = (text: string) => !/^(\d*|off)$/.test(text.trim());
      fc.assert(fc.property(accepted, (value) => void readConfig({ [name]: String(value) })));
      fc.assert(
        fc.property(
          fc.oneof(beyond, garbage.filter(isNotNumeric)),
          (value) => void assertRejected(name, value),
        ),
      );
    });
  }

  test('readConfig accepts off as MAX_UNCLAIMED_USERS', () => {
    assert.equal(readCurrentSettings().maxUnclaimedUsers, 100_000);
    assert.equal(readCurrentSettings({ MAX_UNCLAIMED_USERS: 'off' }).maxUnclaimedUsers, null);
  });

  const choices: Record<string, string[]> = {
    LOG_LEVEL: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    PASSWORD_POLICY: ['contract', 'nist'],
    REGISTRATION: ['open', 'closed'],
    USERS_CREATE: ['open', 'admin'],
  };
  for (const [name, values] of Object.entries(choices)) {
    test(`readConfig accepts ${values.join(', ')} as ${name} and rejects anything else`, () => {
      for (const value of values) assert.doesNotThrow(() => readConfig({ [name]: value }));
      for (const value of ['other', values[0]!.toUpperCase(), 'constructor', '1'])
        assertRejected(name, value);
    });
  }

  test('readConfig accepts REUSE_PORT=on with PostgreSQL, and rejects it with SQLite on one line', () => {
    const DATABASE_URL = 'postgres://frontdesk@127.0.0.1/frontdesk';
    assert.equal(readConfig({ DATABASE_URL }).reusePort, false);
    assert.equal(readConfig({ DATABASE_URL, REUSE_PORT: 'on' }).reusePort, true);
    assert.equal(
      assertRejected('REUSE_PORT', 'on'),
      'REUSE_PORT needs DATABASE_URL (PostgreSQL), because only one process can serve a SQLite file',
    );
  });

  test('readConfig resolves DATA_DIR to an absolute path', () => {
    assert.equal(readConfig({ DATA_DIR: '/srv/frontdesk' }).dataDir, '/srv/frontdesk');
    assert.equal(readConfig({ DATA_DIR: 'somewhere' }).dataDir, resolve('somewhere'));
  });
});
