import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

describe('METADATA_INDEX', () => {
  test('METADATA_INDEX accepts members of both kinds of metadata, and is empty by default', () => {
    assert.deepEqual(readConfig({}).metadataIndex, []);
    const METADATA_INDEX = 'app_metadata.plan, user_metadata.company,app_metadata.plan,app_metadata.a.b';
    const expected = ['app_metadata.plan', 'user_metadata.company', 'app_metadata.a.b'];
    assert.deepEqual(readConfig({ METADATA_INDEX }).metadataIndex, expected);
  });

  for (const value of [
    'plan',
    'metadata.plan',
    'app_metadata',
    'app_metadata.',
    'app_metadata.a:b',
    'app_metadata.a b',
    'app_metadata.\u0007',
    'app_metadata.\ud800',
    `app_metadata.${'x'.repeat(65)}`,
  ]) {
    test(`METADATA_INDEX rejects ${JSON.stringify(value)}`, () => {
      const line = assertRejected('METADATA_INDEX', `user_metadata.company,${value}`);
      assert.match(line, /such as app_metadata\.plan or user_metadata\.company/);
    });
  }

  test('METADATA_INDEX rejects more than five members', () => {
    const members = Array.from({ length: 6 }, (_, index) => `app_metadata.m${index}`);
    assert.match(assertRejected('METADATA_INDEX', members.join()), /at most 5 members, not 6/);
    assert.equal(readConfig({ METADATA_INDEX: members.slice(1).join() }).metadataIndex.length, 5);
  });
});
