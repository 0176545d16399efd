import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE, toDayNumber } from '../../lib/time.ts';
import {
  addActiveUser,
  addCredentialUse,
  addFailedLogin,
  addTokenUse,
  mergeActivity,
  noActivity,
  type PendingActivity,
} from './recorder.ts';

const NOW = Date.UTC(2026, 2, 31, 12);
const LIMIT = 100_000;

const use = (tokenHash: string, lastUsedAt: number | null = null) => ({
  tokenHash,
  userId: `user of ${tokenHash}`,
  lastUsedAt,
});

/** Returns activity with as many tokens and users as are kept. */
function fullActivity(): PendingActivity {
  const pending = noActivity();
  for (let index = 0; index < LIMIT; index++) addTokenUse(pending, use(`token ${index}`), NOW);
  return pending;
}

describe('pending activity', () => {
  test('pending activity adds a token use and its user, and ignores the next use within a minute', () => {
    const pending = noActivity();
    assert.equal(addTokenUse(pending, use('token'), NOW), true);
    assert.equal(addTokenUse(pending, use('token'), NOW + MINUTE - 1), false);
    assert.equal(addTokenUse(pending, use('other', NOW), NOW + MINUTE - 1), false);
    assert.deepEqual([...pending.tokens], [['token', { at: NOW, network: null }]]);
    const day = toDayNumber(NOW);
    assert.deepEqual([...pending.activeUsers], [[`${day}:user of token`, day]]);
  });

  test('pending activity adds the use of a credential, ignores the next use within a minute, and keeps it when merged', () => {
    const pending = noActivity();
    const used = { credentialId: 'credential', lastUsedAt: null };
    assert.equal(addCredentialUse(pending, used, NOW), true);
    assert.equal(addCredentialUse(pending, used, NOW + MINUTE - 1), false);
    assert.equal(addCredentialUse(pending, { ...used, lastUsedAt: NOW }, NOW + MINUTE - 1), false);
    assert.equal(addCredentialUse(pending, used, NOW + MINUTE), true);
    assert.deepEqual([...mergeActivity(pending, noActivity()).credentials], [['credential', NOW + MINUTE]]);
  });

  test('pending activity keeps at most 100,000 tokens and users', () => {
    const pending = fullActivity();
    assert.equal(addTokenUse(pending, use('one more'), NOW), false);
    addActiveUser(pending, 'one more', NOW);
    assert.deepEqual([pending.tokens.size, pending.activeUsers.size], [LIMIT, LIMIT]);
    assert.ok(!pending.tokens.has('one more'));
  });

  test('pending activity keeps the older 100,000 tokens and users when two batches are merged', () => {
    const newer = noActivity();
    addTokenUse(newer, use('one more'), NOW);
    const merged = mergeActivity(fullActivity(), newer);
    assert.deepEqual([merged.tokens.size, merged.activeUsers.size], [LIMIT, LIMIT]);
    assert.ok(!merged.tokens.has('one more'));
  });

  test('pending activity adds up the failed logins of the same minute when two batches are merged', () => {
    const [older, newer] = [noActivity(), noActivity()];
    for (const pending of [older, newer, newer]) addFailedLogin(pending, NOW);
    addFailedLogin(newer, NOW + MINUTE);
    const minute = NOW / MINUTE;
    assert.deepEqual(
      [...mergeActivity(older, newer).failures],
      [
        [minute, 3],
        [minute + 1, 1],
      ],
    );
  });
});
