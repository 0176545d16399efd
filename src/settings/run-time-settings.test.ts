import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InvalidValue } from './rules.ts';
import { RUN_TIME_SETTINGS } from './run-time-settings.ts';

const isAccepted = (rule: (text: string) => unknown, value: string): boolean => {
  try {
    rule(value);
    return true;
  } catch (error) {
    assert.ok(error instanceof InvalidValue);
    return false;
  }
};

describe('settings that can change at run time', () => {
  test('the rule of a setting accepts the choices and bounds of its format, and nothing beside them', () => {
    for (const [name, { rule, format, fallback }] of RUN_TIME_SETTINGS) {
      const { choices, minimum, maximum, can_be_off, kind } = format;
      for (const value of choices ?? []) assert.ok(isAccepted(rule, value), `${name}: ${value}`);
      if (choices !== null) assert.ok(choices.includes(fallback!) && !isAccepted(rule, 'another'), name);
      assert.equal(isAccepted(rule, 'off') && kind !== 'text' && choices === null, can_be_off, name);
      if (kind !== 'integer' || minimum === null || maximum === null) continue;
      for (const value of [minimum, maximum]) assert.ok(isAccepted(rule, String(value)), name);
      for (const value of [minimum - 1, maximum + 1]) assert.ok(!isAccepted(rule, String(value)), name);
    }
  });
});
