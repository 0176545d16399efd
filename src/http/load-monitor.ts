/** Notices when the event loop is so late that taking on more would only make everybody wait longer. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoadMonitor {
  readonly isOverloaded: () => boolean;
  close(): void;
}

const RESOLUTION_MS = 20;
const SAMPLE_EVERY_MS = 500;

/** `limitMs` is the mean delay of half a second from which on the process is overloaded; null: never. */
export function createLoadMonitor(limitMs: number | null): LoadMonitor {
  if (limitMs === null) return { isOverloaded: () => false, close: () => {} };
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let overloaded = false;
  const timer = setInterval(() => {
    overloaded = delays.mean / 1e6 - RESOLUTION_MS > limitMs;
    delays.reset();
  }, SAMPLE_EVERY_MS).unref();
  return {
    isOverloaded: () => overloaded,
    close() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
