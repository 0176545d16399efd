import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pluck } from '../../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, editor, newUserData, useSharedService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';
import {
  MAX_METADATA_BYTES,
  matchesCondition,
  parseMetadata,
  patchMetadata,
  toMetadataKeys,
  toValueKey,
} from './metadata.ts';

/** The examples of RFC 7396, appendix A, whose documents are objects: document, patch, result. */
const EXAMPLES: readonly (readonly [string, string, string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

test('metadata is patched as in the examples of RFC 7396', () => {
  for (const [document, patch, result] of EXAMPLES) {
    const patched = patchMetadata(document, JSON.parse(patch), 'user_metadata');
    assert.deepEqual(parseMetadata(patched), JSON.parse(result), `${document} + ${patch}`);
  }
});

test('metadata that is stored is returned as it was sent, whatever the names of its members', () => {
  const values = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString')),
    fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null),
  );
  fc.assert(
    fc.property(values, (sent) => {
      const patched = JSON.parse(JSON.stringify(sent));
      let stored: string | null;
      try {
        stored = patchMetadata(null, patched, 'user_metadata');
      } catch {
        return;
      }
      const isWithoutNulls = !JSON.stringify(sent).includes('null');
      if (isWithoutNulls) assert.deepEqual(parseMetadata(stored), patched);
      assert.equal(patchMetadata(stored, {}, 'user_metadata'), stored);
      assert.equal(patchMetadata(stored, null, 'user_metadata'), null);
    }),
  );
});

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

describeOnEachEngine('metadata of users', (engine) => {
  const service = useSharedService(engine);

  test('a user writes user_metadata when registering and later by merge patches, and app_metadata never', async () => {
    const person = {
      ...newUserData(),
      user_metadata: { theme: 'dark', tags: ['a'] },
      app_metadata: { plan: 'x' },
    };
    const { body } = await service.api.post('/api/register', person);
    const token = body.access_token;
    const before = (await service.api.get('/api/v1/me', { token })).body.data;
    assert.deepEqual([before.user_metadata, before.app_metadata], [person.user_metadata, {}]);
    const patch = { user_metadata: { theme: null, size: 2 }, app_metadata: { plan: 'gold' } };
    const changed = await service.api.patch('/api/v1/me', patch, { token });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.data.user_metadata, { tags: ['a'], size: 2 });
    assert.deepEqual(changed.body.data.app_metadata, {});
    assert.equal(changed.body.data.version, before.version + 1);
    const outdated = { token, headers: { 'if-match': '"1"' } };
    const rejected = await service.api.patch('/api/v1/me', { user_metadata: { a: 1 } }, outdated);
    assert.equal(rejected.body.code, 'precondition_failed');
    const same = await service.api.patch('/api/v1/me', { user_metadata: { size: 2 } }, { token });
    assert.equal(
      same.body.data.version,
      changed.body.data.version,
      'a change without effect keeps the version',
    );
    const events = await service.api.get(`/api/v1/events?type=user.updated&subject=user:${before.id}`, admin);
    assert.deepEqual(events.body.data[0].changes, [{ name: 'user_metadata' }]);
    assert.ok(!events.text.includes('dark'), 'events have no values');
    const exported = await service.api.get('/api/v1/me/export', { token });
    assert.deepEqual(exported.body.user.user_metadata, { tags: ['a'], size: 2 });
  });

  test('the administrator writes both kinds of metadata, which lists and exports have', async () => {
    const { name, email } = newUserData();
    const metadata = { user_metadata: { theme: 'dark' }, app_metadata: { customer: 'c-1', seats: 3 } };
    const created = await service.api.post('/api/v1/users', { name, email, ...metadata }, admin);
    assert.equal(created.status, 201);
    const { id } = created.body.data;
    const path = `/api/v1/users/${id}`;
    const changed = await service.api.patch(path, { app_metadata: { seats: 4 } }, editor);
    assert.deepEqual(changed.body.data.app_metadata, { customer: 'c-1', seats: 4 });
    const emptied = await service.api.patch(path, { user_metadata: null }, editor);
    assert.deepEqual(emptied.body.data.user_metadata, {});
    const listed = await service.api.get(`/api/v1/users?email=${encodeURIComponent(email)}`, admin);
    assert.deepEqual(listed.body.data[0].app_metadata, { customer: 'c-1', seats: 4 });
    const csv = await service.api.get('/api/v1/admin/users/export', admin);
    assert.match(csv.text, /"\{""customer"":""c-1"",""seats"":4\}"/);
  });

  test('metadata that cannot be stored exactly is rejected by name, and nothing is changed', async () => {
    const { token } = await register(service);
    const send = (raw: string) =>
      service.api.request('PATCH', '/api/v1/me', { token, raw: `{"user_metadata":${raw}}` });
    const accepted = [
      '{"n":9007199254740991}',
      JSON.stringify(nested(8)),
      '{"n":null,"a":null}',
      JSON.stringify(sized(MAX_METADATA_BYTES)),
    ];
    for (const raw of accepted) assert.equal((await send(raw)).status, 200, raw.slice(0, 40));
    const before = (await service.api.get('/api/v1/me', { token })).body.data;
    const rejected: readonly (readonly [string, RegExp])[] = [
      ['[]', /must be/],
      ['"text"', /must be/],
      ['1', /must be/],
      [JSON.stringify(nested(9)), /deeper than 8 levels/],
      [JSON.stringify(sized(MAX_METADATA_BYTES + 1)), /larger than 4096 bytes/],
      ['{"n":9007199254740992}', /integers beyond/],
      ['{"n":1e999}', /integers beyond/],
      ['{"a\\u0000":1}', /U\+0000/],
      ['{"a":["\\ud800"]}', /surrogate/],
    ];
    for (const [raw, message] of rejected) {
      const { status, body } = await send(raw);
      assert.equal(status, 400, raw.slice(0, 40));
      assert.equal(body.code, 'validation_failed', raw.slice(0, 40));
      assert.match(body.errors.user_metadata[0], message);
    }
    assert.deepEqual((await service.api.get('/api/v1/me', { token })).body.data, before);
  });

  test('merge patches of one user at once are all applied', async () => {
    const { token } = await register(service);
    const patches = Array.from({ length: 10 }, (_, index) => ({ user_metadata: { [`key${index}`]: index } }));
    const responses = await Promise.all(
      patches.map((patch) => service.api.patch('/api/v1/me', patch, { token })),
    );
    assert.ok(responses.every(({ status }) => status === 200));
    const { body } = await service.api.get('/api/v1/me', { token });
    assert.equal(Object.keys(body.data.user_metadata).length, 10);
  });
});

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
      pluck(toMetadataKeys(stored), 'member'),
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
