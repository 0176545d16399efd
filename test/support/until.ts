/** Waits for conditions that another process, thread or connection makes true. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Far longer than any condition takes, also on a busy machine: it only ends a test that has failed. */
export const MAX_WAIT_MS = 60_000;
const INTERVAL_MS = 10;

/** Resolves when the condition is true. @throws AssertionError with the description when it never is */
export async function until(condition: () => boolean | Promise<boolean>, description: string): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while (!(await condition())) {
    assert.ok(performance.now() < end, `never true: ${description}`);
    await pause(INTERVAL_MS);
  }
}
