import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createSynchronizedClock } from './shared-clock.ts';

/** Milliseconds by which the reading of a whole millisecond may be wrong, on both clocks. */
const ROUNDING = 2;

/** Two clocks of which one is set at will, and readings that take time on the way there and back. */
function twoClocks(difference: number) {
  const world = { now: 1_000_000, difference };
  const monotonicClock = () => Math.floor(world.now);
  const otherClock = () => Math.floor(world.now + world.difference);
  const read = ({ there, back }: { there: number; back: number }) => {
    const sentAt = monotonicClock();
    world.now += there;
    const time = otherClock();
    world.now += back;
    return { time, sentAt, receivedAt: monotonicClock() };
  };
  return { world, monotonicClock, otherClock, read };
}

const delay = fc.double({ min: 0, max: 2_000, noNaN: true });
const roundTrip = fc.record({ there: delay, back: delay });
const step = fc.record({
  pause: fc.double({ min: 0, max: 100_000, noNaN: true }),
  setBy: fc.integer({ min: -1e10, max: 1e10 }),
  roundTrip,
});

describe('a synchronised clock', () => {
  test('a synchronised clock differs from the other clock by at most the last round trip, however that is set', () => {
    const staysClose = (difference: number, first: { there: number; back: number }, steps: ClockStep[]) => {
      const { world, monotonicClock, otherClock, read } = twoClocks(difference);
      const { clock, synchronize } = createSynchronizedClock(monotonicClock, read(first));
      assert.ok(Math.abs(clock() - otherClock()) <= (first.there + first.back) / 2 + ROUNDING);
      for (const { pause, setBy, roundTrip } of steps) {
        world.now += pause;
        world.difference += setBy;
        synchronize(read(roundTrip));
        world.now += pause;
        const { there, back } = roundTrip;
        assert.ok(Math.abs(clock() - otherClock()) <= there + back + ROUNDING);
        assert.ok(Number.isSafeInteger(clock()));
      }
    };
    const differences = fc.integer({ min: -1e12, max: 1e12 });
    fc.assert(fc.property(differences, roundTrip, fc.array(step), staysClose));
  });

  test('a synchronised clock never moves away from the other clock', () => {
    const movesCloser = (
      first: { there: number; back: number },
      trips: { there: number; back: number }[],
    ) => {
      const { monotonicClock, otherClock, read } = twoClocks(1e12);
      const { clock, synchronize } = createSynchronizedClock(monotonicClock, read(first));
      for (const trip of trips) {
        const before = Math.abs(clock() - otherClock());
        synchronize(read(trip));
        assert.ok(Math.abs(clock() - otherClock()) <= before + ROUNDING);
      }
    };
    fc.assert(fc.property(roundTrip, fc.array(roundTrip), movesCloser));
  });

  test('a synchronised clock runs on without steps while readings agree with it, also late ones', () => {
    const { world, monotonicClock, read } = twoClocks(1e12);
    const { clock, synchronize } = createSynchronizedClock(monotonicClock, read({ there: 1, back: 1 }));
    const start = clock() - world.now;
    for (const [there, back] of [
      [0, 2_000],
      [2_000, 0],
      [3, 1],
      [1, 3],
    ] as const) {
      synchronize(read({ there, back }));
      assert.equal(clock() - world.now, start);
    }
  });
});

type ClockStep = { pause: number; setBy: number; roundTrip: { there: number; back: number } };
