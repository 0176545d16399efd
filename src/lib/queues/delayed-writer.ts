/** Writes what requests have left in memory. */
const WRITE_DELAY_MS = 1_000;

/** Calls `write` a second after `schedule`, or at once with `flush`; never twice at the same time. */
export function createDelayedWriter(write: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };
  const schedule = () => {
    timer ??= setTimeout(flush, WRITE_DELAY_MS).unref();
  };
  return { flush, schedule };
}
