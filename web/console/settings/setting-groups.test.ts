import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SETTING_GROUPS } from '../../../src/settings/setting-definition.ts';
import type { Setting } from '../../common/api-types.ts';
import { filterSettings, groupSettings } from './setting-groups.ts';

describe('the groups of settings in the console', () => {
  test('the console has a title for each group of the service, and shows groups that it does not know', () => {
    const settings = [...SETTING_GROUPS, 'new'].map((group) => ({ name: group, group }) as Setting);
    const groups = groupSettings(settings);
    assert.deepEqual(groups.map(({ id }) => id).sort(), [...SETTING_GROUPS, 'new'].sort());
    assert.deepEqual(
      groups.filter(({ id, title }) => id === title).map(({ id }) => id),
      ['new'],
    );
  });

  test('the filter of settings finds words of names and meanings in any order and case', () => {
    const settings = [
      { name: 'RATE_LIMIT_LOGIN', meaning: 'Sign-ins per network' },
      { name: 'TOKEN_LIFETIME_DAYS', meaning: 'Days until a new token expires' },
    ] as Setting[];
    const find = (text: string) => filterSettings(settings, text).map(({ name }) => name);
    assert.deepEqual(find('login rate'), ['RATE_LIMIT_LOGIN']);
    assert.deepEqual(find('token_lifetime'), ['TOKEN_LIFETIME_DAYS']);
    assert.deepEqual(find('Expires'), ['TOKEN_LIFETIME_DAYS']);
    assert.deepEqual(find(' '), ['RATE_LIMIT_LOGIN', 'TOKEN_LIFETIME_DAYS']);
    assert.deepEqual(find('nothing'), []);
  });
});
