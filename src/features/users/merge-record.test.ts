import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeRecords, rejectUnlessMergeable } from './merge-record.ts';
import { METADATA_MEMBERS, parseMetadata, patchMetadata } from './records/metadata.ts';
import type { UserRow } from './records/queries.ts';
import { USER_STATES } from './records/user-counters.ts';

const MEMBERS = ['name', 'email', 'locale', 'level'] as const;
const text = fc.option(fc.string({ minLength: 1, maxLength: 8 }));
const metadata = fc
  .dictionary(fc.string({ maxLength: 4 }), fc.oneof(fc.integer(), fc.dictionary(fc.string(), fc.integer())), {
    maxKeys: 5,
  })
  .map((value) => patchMetadata(null, value, 'user_metadata'));
const user = fc
  .record({
    ...Object.fromEntries(MEMBERS.map((name) => [name, text])),
    email_verified_at: fc.option(fc.nat()),
    state: fc.constantFrom(...USER_STATES),
    user_metadata: metadata,
    app_metadata: metadata,
  })
  .map((row) => row as unknown as UserRow);
const choices = fc.record({
  take: fc.subarray([...MEMBERS, 'identities' as const]),
  metadata: fc.constantFrom('keep' as const, 'take' as const, 'combine' as const),
});

test('a merged record has each member from one of both, and none is lost that only one of them has', () => {
  fc.assert(
    fc.property(user, user, choices, (target, from, chosen) => {
      const merged = mergeRecords(target, from, chosen);
      for (const name of MEMBERS) {
        const isTaken = chosen.take.includes(name) && from[name] !== null;
        assert.equal(merged[name], isTaken ? from[name] : target[name]);
      }
      assert.ok(
        [target, from].some(
          (each) => each.email === merged.email && each.email_verified_at === merged.email_verified_at,
        ),
      );
      assert.equal(merged.state, target.state);
    }),
  );
});

test('combined metadata has all members of both, in which those of the user win, and combining it again changes nothing', () => {
  fc.assert(
    fc.property(user, user, (target, from) => {
      const combine = (one: UserRow) => mergeRecords(one, from, { take: [], metadata: 'combine' });
      const merged = combine(target);
      for (const member of METADATA_MEMBERS) {
        const [own, other, both] = [target, from, merged].map((each) => parseMetadata(each[member]));
        assert.deepEqual(
          new Set(Object.keys(both!)),
          new Set([...Object.keys(own!), ...Object.keys(other!)]),
        );
        for (const [name, value] of Object.entries(own!))
          if (typeof value !== 'object') assert.deepEqual(both![name], value);
        assert.deepEqual(parseMetadata(combine(merged)[member]), both);
      }
    }),
  );
});

test('of two records in different states one direction of the merge is rejected, and with the same state none', () => {
  fc.assert(
    fc.property(user, user, (one, other) => {
      const isRejected = (target: UserRow, from: UserRow) => {
        try {
          rejectUnlessMergeable(target, from, false);
          return 0;
        } catch {
          return 1;
        }
      };
      const rejections = isRejected(one, other) + isRejected(other, one);
      assert.equal(rejections, one.state === other.state ? 0 : 1);
    }),
  );
});
