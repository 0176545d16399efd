/** Limits how many streams of one kind a process produces at a time. */
import type { Readable } from 'node:stream';
import { Problem } from '../../problems/problem.ts';

const RETRY_AFTER_SECONDS = 10;

export interface StreamLimitOptions {
  readonly max: number;
  readonly name: string;
}

/**
 * Returns the function that runs `create` while fewer streams than the maximum are open. Each has to be read or
 * destroyed. Errors: Problem service_unavailable.
 */
export function createStreamLimit({ max, name }: StreamLimitOptions) {
  let running = 0;
  return async (create: () => Promise<Readable>): Promise<Readable> => {
    if (running >= max) throw tooMany(`No more than ${max} ${name} can run at a time`);
    running++;
    try {
      return (await create()).once('close', () => running--);
    } catch (error) {
      running--;
      throw error;
    }
  };
}

/** Not 429: another node may have room, and a proxy may ask it. */
function tooMany(text: string): Problem {
  return new Problem('service_unavailable', { text, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
