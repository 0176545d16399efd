/**
 * Returns a function that runs `work`, one run after the other. Calls that come while one waits share it: it begins
 * after all of them. `work` must not reject.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isWaiting = false;
  return () => {
    if (isWaiting) return running;
    isWaiting = true;
    running = running.then(() => {
      isWaiting = false;
      return work();
    });
    return running;
  };
}
