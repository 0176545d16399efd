import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SETTING_GROUPS } from '../../../src/settings/catalogue.ts';
import type { Setting } from '../../common/api-types.ts';
import { groupSettings } from './setting-groups.ts';

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
});
