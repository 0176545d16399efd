/** The wall clock of a database that several nodes share: docs/decisions/0016-clock-of-the-database.md. */
import { type Clock, type MonotonicClock, monotonic } from '../lib/time.ts';

/** Nodes disagree for this long after the clock of the database was set: a fraction of the shortest lease. */
const INTERVAL_MS = 5_000;
/** Smaller differences between a node and its database are not worth a warning. */
const REPORTED_SKEW_MS = 5_000;

export type SharedClock = Awaited<ReturnType<typeof startSharedClock>>;

/** Starts the clock. Later readings that fail are ignored: the clock runs on. @throws DatabaseUnavailable */
export async function startSharedClock(options: {
  readonly readTime: () => Promise<number>;
  /** Called with the difference when the wall clock of this machine begins to differ by more than five seconds. */
  readonly onSkew: (skewMs: number) => void;
  /** Replacements for tests. */
  readonly intervalMs?: number;
  readonly monotonicClock?: MonotonicClock;
}) {
  const { readTime, onSkew, intervalMs = INTERVAL_MS, monotonicClock = monotonic } = options;
  const read = async (): Promise<ClockReading> => {
    const sentAt = monotonicClock();
    const time = await readTime();
    return { time, sentAt, receivedAt: monotonicClock() };
  };
  const { clock, synchronize } = createSynchronizedClock(monotonicClock, await read());
  const reportSkew = createSkewReport(clock, onSkew);
  let isClosed = false;
  const repeat = async () => {
    const reading = await read().catch(() => null);
    if (isClosed) return;
    if (reading !== null) synchronize(reading);
    reportSkew();
    schedule();
  };
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(repeat, intervalMs).unref();
  };
  reportSkew();
  schedule();
  const close = () => {
    isClosed = true;
    clearTimeout(timer);
  };
  return { clock, close };
}

/** Returns a function that compares both clocks and reports the beginning of a large difference. */
function createSkewReport(clock: Clock, onSkew: (skewMs: number) => void): () => void {
  let wasSkewed = false;
  return () => {
    const skewMs = Date.now() - clock();
    const isSkewed = Math.abs(skewMs) > REPORTED_SKEW_MS;
    if (isSkewed && !wasSkewed) onSkew(skewMs);
    wasSkewed = isSkewed;
  };
}

/** The other clock showed `time` at some moment between `sentAt` and `receivedAt` of the monotonic clock. */
interface ClockReading {
  readonly time: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Creates the clock. It differs from the other one by at most half of the round trip of the first reading. */
export function createSynchronizedClock(monotonicClock: MonotonicClock, first: ClockReading) {
  const { earliest, latest } = possibleOffsets(first);
  let offset = Math.round((earliest + latest) / 2);
  return {
    clock: () => monotonicClock() + offset,
    /** Corrects the clock by the least that agrees with the reading. */
    synchronize(reading: ClockReading) {
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
