import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matchesCondition, toMetadataKeys, toValueKey } from './metadata-members.ts';

const user = (app: string | null, own: string | null = null) => ({ app_metadata: app, user_metadata: own });

describe('members of metadata', () => {
  test('members of metadata match only the same text at the top level of the same metadata', () => {
    const matching = user('{"a":{"plan":"pro"},"plan":"pro"}');
    const condition = { member: 'app_metadata.plan', value: 'pro' };
    assert.equal(matchesCondition(matching, condition), true);
    for (const other of [
      user(null),
      user(null, '{"plan":"pro"}'),
      user('{"a":{"plan":"pro"}}'),
      user('{"plan":"Pro"}'),
      user('{"plan":"pro "}'),
      user('{"plan":["pro"]}'),
      user('{"other":"pro"}'),
    ])
      assert.equal(matchesCondition(other, condition), false, JSON.stringify(other));
  });

  test('members of metadata match texts with quotes and other characters that JSON escapes', () => {
    const value = 'a "quoted"\\\n\u2028 é😀';
    const stored = user(JSON.stringify({ plan: value }));
    assert.equal(matchesCondition(stored, { member: 'app_metadata.plan', value }), true);
  });

  test('members of metadata with names of inherited properties are found only where the metadata has them', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'a.b']) {
      const members = [`user_metadata.${name}`];
      assert.deepEqual(toMetadataKeys(user(null, '{}'), members), []);
      const keys = toMetadataKeys(user(null, `{"${name}":"x"}`), members);
      assert.deepEqual(keys, [{ member: members[0], valueKey: 'x' }]);
    }
  });

  test('members of metadata that are no texts have no key', () => {
    const stored = user('{"a":1,"b":true,"c":["x"],"d":{"x":"y"},"e":""}');
    const members = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `app_metadata.${name}`);
    assert.deepEqual(toMetadataKeys(stored, members), [{ member: 'app_metadata.e', valueKey: '' }]);
  });

  test('members of metadata with long texts have short keys that differ', () => {
    const long = 'x'.repeat(4_000);
    assert.equal(toValueKey('x'.repeat(64)), 'x'.repeat(64));
    assert.ok(toValueKey(long).length < 64);
    assert.notEqual(toValueKey(long), toValueKey(`${long}y`));
  });
});
