/** Limits how many streams of one kind a process produces at a time. */
import type { Readable } from 'node:stream';
import { Problem } from '../../problems/problem.ts';

/** Returns the function that runs `create` while few enough streams are open. Errors: Problem service_unavailable. */
export function createStreamLimit({ max, name }: { readonly max: number; readonly name: string }) {
  let running = 0;
  return async (create: () => Promise<Readable>): Promise<Readable> => {
    if (running >= max) {
      const text = `No more than ${max} ${name} can run at a time`;
      // Not 429: another node may have room, and a proxy may ask it.
      throw new Problem('service_unavailable', { text, retryAfterSeconds: 10 });
    }
    running++;
    try {
      return (await create()).once('close', () => running--);
    } catch (error) {
      running--;
      throw error;
    }
  };
}
