import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { MAIL_KINDS } from '../queries.ts';
import { type CountedKind, isOverLimit, recentSends, type Send } from './limits.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const sends = (count: number, kind: CountedKind, at = NOW): Send[] =>
  Array.from({ length: count }, (_, number) => ({ id: `${kind}-${number}`, kind, at }));

describe('limits of a mail recipient', () => {
  test('recipient limits admit three messages of a kind in an hour and ten in a day', () => {
    for (const kind of [...MAIL_KINDS, 'administrator'] as const) {
      assert.equal(isOverLimit(sends(2, kind), kind, NOW), false, kind);
      assert.equal(isOverLimit(sends(3, kind), kind, NOW), true, kind);
      assert.equal(isOverLimit(sends(3, kind), kind, NOW + HOUR), false, kind);
      assert.equal(isOverLimit(sends(9, kind), kind, NOW + HOUR), false, kind);
      assert.equal(isOverLimit(sends(10, kind), kind, NOW + DAY - 1), true, kind);
      assert.equal(isOverLimit(sends(10, kind), kind, NOW + DAY), false, kind);
    }
  });

  test('recipient limits admit six messages of several kinds in an hour and twenty in a day', () => {
    const mixed = [...sends(3, 'verify_email'), ...sends(2, 'new_network')];
    assert.equal(isOverLimit(mixed, 'password_changed', NOW), false);
    assert.equal(isOverLimit([...mixed, ...sends(1, 'change_email')], 'password_changed', NOW), true);
    const day = [...sends(10, 'verify_email'), ...sends(9, 'new_network')];
    assert.equal(isOverLimit(day, 'password_changed', NOW + HOUR), false);
    assert.equal(isOverLimit([...day, ...sends(1, 'change_email')], 'password_changed', NOW + HOUR), true);
  });

  test('recipient limits leave room for resets, and for links of the administrator, whatever else was sent', () => {
    const others = MAIL_KINDS.filter((kind) => kind !== 'reset_password').flatMap((kind) => sends(10, kind));
    assert.equal(isOverLimit(others, 'reset_password', NOW), false);
    assert.equal(isOverLimit([...others, ...sends(10, 'reset_password')], 'administrator', NOW), false);
    assert.equal(isOverLimit(sends(10, 'reset_password'), 'password_changed', NOW), false);
  });

  test('recipient limits ignore sends after a day, and those of a clock that was ahead', () => {
    const times = [NOW - DAY, NOW - DAY + 1, NOW, NOW + MINUTE, NOW + MINUTE + 1];
    const kept = recentSends(
      times.flatMap((at) => sends(1, 'new_network', at)),
      NOW,
    );
    assert.deepEqual(
      kept.map(({ at }) => at),
      [NOW - DAY + 1, NOW, NOW + MINUTE],
    );
  });
});
