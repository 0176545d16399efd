/** Loads again while something is in progress. */
import { useEffect, useRef } from 'preact/hooks';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Calls `reload` after each change of `shown`, with growing delays, while `isActive`. */
export function usePolling(isActive: boolean, shown: unknown, reload: () => void): void {
  const delay = useRef(FIRST_DELAY_MS);
  useEffect(() => {
    if (!isActive) {
      delay.current = FIRST_DELAY_MS;
      return;
    }
    const timer = setTimeout(reload, delay.current);
    delay.current = Math.min(1.5 * delay.current, MAX_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isActive, shown]);
}
