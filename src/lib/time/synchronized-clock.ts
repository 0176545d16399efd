/** A wall clock that runs with the monotonic clock of this process and is set by readings of another clock. */
import type { Clock, MonotonicClock } from './clock.ts';

/** The other clock showed `time` at some moment between `sentAt` and `receivedAt` of the monotonic clock. */
export interface ClockReading {
  readonly time: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface SynchronizedClock {
  readonly clock: Clock;
  /** Corrects the clock by the least that agrees with the reading. */
  synchronize(reading: ClockReading): void;
}

/** Creates the clock. It differs from the other one by at most half of the round trip of the first reading. */
export function createSynchronizedClock(
  monotonicClock: MonotonicClock,
  first: ClockReading,
): SynchronizedClock {
  const { earliest, latest } = possibleOffsets(first);
  let offset = Math.round((earliest + latest) / 2);
  return {
    clock: () => monotonicClock() + offset,
    synchronize(reading) {
      const { earliest, latest } = possibleOffsets(reading);
      // Not set to the middle: that would make the clock jump by part of each round trip.
      offset = Math.min(Math.max(offset, earliest), latest);
    },
  };
}

/** Both clocks are read in whole milliseconds, so each bound may be wrong by one. */
function possibleOffsets({ time, sentAt, receivedAt }: ClockReading) {
  return { earliest: time - receivedAt - 1, latest: time - sentAt + 1 };
}
