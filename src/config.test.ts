import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { assertRefused } from '../test/support/settings.ts';
import { readConfig } from './config.ts';

describe('settings', () => {
  test('an empty environment is enough, and open to this machine only', () => {
    const config = readConfig({});
    const { host, port, databaseUrl, adminTokens, secretKey, publicUrl } = config;
    assert.deepEqual({ host, port }, { host: '127.0.0.1', port: 3000 });
    assert.deepEqual(
      { databaseUrl, adminTokens, secretKey },
      { databaseUrl: null, adminTokens: null, secretKey: null },
    );
    assert.equal(config.dataDir, resolve('data'));
    assert.equal(publicUrl, '');
    assert.equal(config.tokenLifetimeSeconds, 30 * 24 * 60 * 60);
    assert.deepEqual([config.corsOrigins, config.trustProxy], [[], []], 'nobody is trusted unasked');
  });

  test('an empty or blank variable counts as not set', () => {
    const names = ['HOST', 'PORT', 'DATABASE_URL', 'ADMIN_TOKEN', 'LOG_LEVEL', 'CORS_ORIGINS'];
    for (const blank of ['', '  ']) {
      const environment = Object.fromEntries(names.map((name) => [name, blank]));
      assert.deepEqual(readConfig(environment), readConfig({}));
    }
  });

  test('a wrong value is shown, and stays on the line whatever is in it', () => {
    assert.ok(assertRefused('PORT', '42\n10').endsWith(', not "42\\n10"'));
    for (const name of ['LOG_LEVEL', 'CORS_ORIGINS', 'TRUST_PROXY', 'RATE_LIMIT_LOGIN'])
      assert.ok(assertRefused(name, 'say "a\r\nb"').endsWith(String.raw`, not "say \"a\r\nb\""`));
  });

  test('they cannot be changed afterwards', () => {
    assert.ok(Object.isFrozen(readConfig({})));
  });

  const numbers: Record<string, [least: number, most: number]> = {
    PORT: [0, 65_535],
    DATABASE_POOL: [1, 1_000],
    PASSWORD_THREADS: [1, 256],
    PASSWORD_QUEUE: [1, 100_000],
    TOKEN_LIFETIME_DAYS: [1, 3_650],
    SHUTDOWN_DELAY_SECONDS: [0, 300],
    LOAD_SHEDDING_MS: [10, 60_000],
  };
  for (const [name, [least, most]] of Object.entries(numbers)) {
    test(`${name} is a whole number from ${least} to ${most}, and nothing else`, () => {
      const accepted = fc.integer({ min: least, max: most });
      const beyond = fc.oneof(fc.integer({ max: least - 1 }), fc.integer({ min: most + 1 })).map(String);
      const garbage = fc.oneof(fc.constantFrom('1e3', '0x10', '1.0', '+1', '1 000', 'Infinity'), fc.string());
      const isNoNumber = (text: string) => !/^(\d*|off)$/.test(text.trim());
      fc.assert(fc.property(accepted, (value) => void readConfig({ [name]: String(value) })));
      fc.assert(
        fc.property(fc.oneof(beyond, garbage.filter(isNoNumber)), (value) => void assertRefused(name, value)),
      );
    });
  }

  const choices: Record<string, string[]> = {
    LOG_LEVEL: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    PASSWORD_POLICY: ['contract', 'nist'],
    REGISTRATION: ['open', 'closed'],
    USERS_CREATE: ['open', 'admin'],
  };
  for (const [name, values] of Object.entries(choices)) {
    test(`${name} is one of ${values.join(', ')}`, () => {
      for (const value of values) assert.doesNotThrow(() => readConfig({ [name]: value }));
      for (const value of ['other', values[0]!.toUpperCase(), 'constructor', '1']) assertRefused(name, value);
    });
  }

  test('DATA_DIR is made absolute, so that it stays the same wherever the process goes', () => {
    assert.equal(readConfig({ DATA_DIR: '/srv/frontdesk' }).dataDir, '/srv/frontdesk');
    assert.equal(readConfig({ DATA_DIR: 'somewhere' }).dataDir, resolve('somewhere'));
  });
});
