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
      const member = `user_metadata.${name}`;
      assert.equal(matchesCondition(user(null, '{"x":"x"}'), { member, value: 'x' }), false);
      assert.deepEqual(toMetadataKeys(user(null, `{"${name}":"x"}`)), [{ member, valueKey: 'x' }]);
    }
  });

  test('members of metadata that are no texts, or have names that no filter can have, have no key', () => {
    const long = 'n'.repeat(65);
    const stored = user(
      `{"a":1,"b":true,"c":["x"],"d":{"x":"y"},"e":"","f g":"x","h:i":"x","":"x","${long}":"x"}`,
    );
    assert.deepEqual(toMetadataKeys(stored), [{ member: 'app_metadata.e', valueKey: '' }]);
  });

  test('members of metadata match only where they are among the first 20 texts of a user', () => {
    const texts = Array.from({ length: 21 }, (_, index) => [`m${index}`, 'x']);
    const stored = user(JSON.stringify(Object.fromEntries([['number', 1], ...texts])), '{"own":"x"}');
    assert.deepEqual(
      toMetadataKeys(stored).map(({ member }) => member),
      texts.slice(0, 20).map(([name]) => `app_metadata.${name}`),
    );
    for (const [member, isFound] of [
      ['app_metadata.m19', true],
      ['app_metadata.m20', false],
      ['user_metadata.own', false],
    ] as const)
      assert.equal(matchesCondition(stored, { member, value: 'x' }), isFound);
  });

  test('members of metadata with long texts have short keys that differ', () => {
    const long = 'x'.repeat(4_000);
    assert.equal(toValueKey('x'.repeat(64)), 'x'.repeat(64));
    assert.ok(toValueKey(long).length < 64);
    assert.notEqual(toValueKey(long), toValueKey(`${long}y`));
  });
});
