import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCurrentSettings } from '../../test/support/settings.ts';
import { ConfigError } from '../config.ts';
import { LIMIT_NAMES, type Limits } from './limits.ts';

const limits = (environment: Record<string, string> = {}): Limits => readCurrentSettings(environment).limits;
const variable = (name: string) => `RATE_LIMIT_${name.toUpperCase().replaceAll('-', '_')}`;

describe('settings of rate limits', () => {
  test('the rate limits have these defaults', () => {
    const figures = Object.values(limits()).map((quota) => [quota!.name, quota!.limit, quota!.windowSeconds]);
    assert.deepEqual(figures, [
      ['anon', 120, 60],
      ['user', 600, 60],
      ['create', 60, 60],
      ['create-hour', 200, 3600],
      ['create-day', 500, 86_400],
      ['register', 30, 60],
      ['register-hour', 200, 3600],
      ['login', 60, 60],
      ['login-fail', 5, 60],
      ['login-account', 100, 3600],
      ['admin-fail', 10, 900],
      ['documents', 300, 60],
      ['password-reset', 30, 3600],
      ['email-verification', 30, 3600],
      ['token-create', 120, 3600],
      ['write', 1200, 60],
      ['verify', 6000, 60],
      ['credential-write', 600, 60],
      ['credential-read', 6000, 60],
      ['submission', 60, 60],
    ]);
  });

  for (const name of LIMIT_NAMES) {
    test(`the limit ${name} can be set and turned off without changing the others`, () => {
      const set = limits({ [variable(name)]: '7/90' });
      assert.deepEqual(set[name], { name, limit: 7, windowSeconds: 90 });
      const off = limits({ [variable(name)]: 'off' });
      assert.equal(off[name], null);
      const others = LIMIT_NAMES.filter((other) => other !== name);
      for (const other of others) assert.deepEqual([set[other], off[other]], Array(2).fill(limits()[other]));
    });
  }

  test('rate limits are all null with RATE_LIMITS=off, whatever else is set', () => {
    const off = limits({ RATE_LIMITS: 'off', RATE_LIMIT_ANON: '1/1' });
    assert.deepEqual(Object.values(off), Array(LIMIT_NAMES.length).fill(null));
  });

  for (const wrong of [
    '0/60',
    '60/0',
    '60',
    '-1/60',
    '1.5/60',
    '60/60/60',
    '1e3/60',
    'none',
    '1000000000/60',
  ]) {
    test(`the setting "${wrong}" is rejected with a message that names the variable`, () => {
      const isNamed = (error: unknown) =>
        error instanceof ConfigError && /^RATE_LIMIT_ANON /.test(error.message);
      assert.throws(() => limits({ RATE_LIMIT_ANON: wrong }), isNamed);
    });
  }
});
