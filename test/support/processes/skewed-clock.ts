/**
 * Preloaded by processes whose machine has a wrong clock: shifts `Date` by TEST_CLOCK_SKEW_MS. On SIGUSR2, timers of half
 * a minute or more expire at once, so that hourly work, whose first run comes in the first minute, can be tested. Imports
 * nothing, because it is loaded first.
 */
const skewMs = Number(process.env.TEST_CLOCK_SKEW_MS);
const MachineDate = Date;

class SkewedDate extends MachineDate {
  constructor(...values: [] | [string | number | Date]) {
    if (values.length === 0) super(SkewedDate.now());
    else super(...values);
  }

  static override now(): number {
    return MachineDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;

const LONG_MS = 30_000;
const longTimers: (() => void)[] = [];

for (const name of ['setTimeout', 'setInterval'] as const) {
  const original = globalThis[name] as (...args: unknown[]) => unknown;
  const recording = (callback: () => void, delayMs?: number, ...values: unknown[]) => {
    if (delayMs !== undefined && delayMs >= LONG_MS) longTimers.push(callback);
    return original(callback, delayMs, ...values);
  };
  Object.assign(globalThis, { [name]: Object.assign(recording, original) });
}

process.on('SIGUSR2', () => {
  // Taken out first, because a callback may set its timer again.
  for (const callback of longTimers.splice(0)) callback();
});
