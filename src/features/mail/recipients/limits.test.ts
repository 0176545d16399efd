import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../lib/time.ts';
import { MAIL_KINDS } from '../queries.ts';
import { type CountedKind, isOverLimit, recentSends, type Send } from './limits.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const isOver = (stored: readonly Send[], kind: CountedKind, now: number, network?: string) =>
  isOverLimit(stored, { kind, network, at: now });
const sends = (count: number, kind: CountedKind, at = NOW): Send[] =>
  Array.from({ length: count }, (_, number) => ({ id: `${kind}-${number}`, kind, at }));

describe('limits of a mail recipient', () => {
  test('recipient limits admit three messages of a kind in an hour and ten in a day', () => {
    for (const kind of [...MAIL_KINDS, 'administrator'] as const) {
      assert.equal(isOver(sends(2, kind), kind, NOW), false, kind);
      assert.equal(isOver(sends(3, kind), kind, NOW), true, kind);
      assert.equal(isOver(sends(3, kind), kind, NOW + HOUR), false, kind);
      assert.equal(isOver(sends(9, kind), kind, NOW + HOUR), false, kind);
      assert.equal(isOver(sends(10, kind), kind, NOW + DAY - 1), true, kind);
      assert.equal(isOver(sends(10, kind), kind, NOW + DAY), false, kind);
    }
  });

  test('recipient limits admit six messages of several kinds in an hour and twenty in a day', () => {
    const mixed = [...sends(3, 'verify_email'), ...sends(2, 'new_network')];
    assert.equal(isOver(mixed, 'password_changed', NOW), false);
    assert.equal(isOver([...mixed, ...sends(1, 'change_email')], 'password_changed', NOW), true);
    const day = [...sends(10, 'verify_email'), ...sends(9, 'new_network')];
    assert.equal(isOver(day, 'password_changed', NOW + HOUR), false);
    assert.equal(isOver([...day, ...sends(1, 'change_email')], 'password_changed', NOW + HOUR), true);
  });

  test('recipient limits leave room for resets, and for links of the administrator, whatever else was sent', () => {
    const others = MAIL_KINDS.filter((kind) => kind !== 'reset_password').flatMap((kind) => sends(10, kind));
    assert.equal(isOver(others, 'reset_password', NOW), false);
    assert.equal(isOver([...others, ...sends(10, 'reset_password')], 'administrator', NOW), false);
    assert.equal(isOver(sends(10, 'reset_password'), 'password_changed', NOW), false);
  });

  test('recipient limits count codes by the network that requests them, of which three cannot use up those of a fourth', () => {
    const from = (network: string, count: number, at = NOW) =>
      sends(count, 'sign_in_code', at).map((send) => ({ ...send, network }));
    const others = MAIL_KINDS.filter((kind) => kind !== 'sign_in_code').flatMap((kind) => sends(10, kind));
    const isOverFor = (network: string, stored: readonly Send[], now = NOW) =>
      isOver([...stored, ...others], 'sign_in_code', now, network);
    assert.equal(isOverFor('own', from('other', 10)), false);
    assert.equal(isOverFor('other', from('other', 3)), true);
    assert.equal(isOverFor('other', from('other', 9), NOW + HOUR), false);
    assert.equal(isOverFor('other', from('other', 10), NOW + HOUR), true);
    const many = [...from('a', 10), ...from('b', 10), ...from('c', 9)];
    assert.equal(isOverFor('own', many), false);
    assert.equal(isOverFor('own', [...many, ...from('c', 1)]), true);
    assert.equal(isOver(many, 'password_changed', NOW), false, 'codes leave room for other messages');
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
