/** Watches a queue that no worker of this process serves. */

/** The interval at which a queue is read. */
export const POLL_MS = 1_000;

interface WatchedQueue {
  /** Whether a job is due. */
  hasDue(): Promise<boolean>;
  /** Is called once, when the first job is due. */
  onDue(): void;
}

/** Reads the queue until a job is due. */
export function watchQueue({ hasDue, onDue }: WatchedQueue): { close(): Promise<void> } {
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    // While the database is unavailable, requests and readiness report it.
    if (!(await hasDue().catch(() => false))) return;
    clearInterval(timer);
    onDue();
  };
  const timer = setInterval(() => {
    reading = read();
  }, POLL_MS).unref();
  return {
    close() {
      clearInterval(timer);
      return reading;
    },
  };
}
