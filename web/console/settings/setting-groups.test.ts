import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { LIMIT_NAMES } from '../../../src/rate-limits/limits.ts';
import { LIMIT_MEANINGS, SETTING_GROUPS, toLimitSetting } from './setting-groups.ts';

describe('the meanings of settings in the console', () => {
  test('the console has a meaning for each setting of the service, in one group, and for each limit', () => {
    const grouped = SETTING_GROUPS.flatMap(({ meanings }) => Object.keys(meanings));
    const limits = LIMIT_NAMES.map(toLimitSetting);
    const names = readConfig({}).settings.map(({ name }) => name);
    assert.deepEqual([...grouped, ...limits].sort(), names.sort());
    assert.deepEqual(Object.keys(LIMIT_MEANINGS).sort(), [...LIMIT_NAMES].sort());
  });
});
