import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLocalTime, toLocalTime } from './zoned-time.ts';

const ROWS: readonly (readonly [local: string, timeZone: string, at: string])[] = [
  ['2026-12-01T10:00', 'Europe/Berlin', '2026-12-01T09:00:00.000Z'],
  ['2026-07-01T00:30', 'Europe/Berlin', '2026-06-30T22:30:00.000Z'],
  // Beside the hours in which clocks change.
  ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T01:30', 'Europe/Berlin', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
  ['2026-03-08T01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
  ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['2026-11-01T23:59', 'America/New_York', '2026-11-02T04:59:00.000Z'],
  ['2026-01-01T05:45', 'Asia/Kathmandu', '2026-01-01T00:00:00.000Z'],
  ['2026-01-01T00:00', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ['2026-02-28T12:00', 'UTC', '2026-02-28T12:00:00.000Z'],
  // A year that was mistyped.
  ['0202-03-04T05:06', 'UTC', '0202-03-04T05:06:00.000Z'],
];

for (const [local, timeZone, at] of ROWS)
  test(`${local} in ${timeZone} is ${at}, and is shown again as it was entered`, () => {
    assert.equal(fromLocalTime(local, timeZone), at);
    assert.equal(toLocalTime(at, timeZone), local);
  });

test('without a time zone, times are those of the browser', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  assert.equal(fromLocalTime('2026-07-01T10:00'), fromLocalTime('2026-07-01T10:00', timeZone));
});
