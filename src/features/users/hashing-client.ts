/** For whom passwords are hashed: clients share the threads and the queue fairly (lib/fair-queue.ts). */
import type { QueueClient } from '../../lib/fair-queue.ts';
import { widestNetworkOf } from '../../lib/network.ts';

/** For passwords that the administrator sets. */
export const ADMINISTRATOR: QueueClient = { name: 'administrator', isKnown: true };

/** Returns the client of a request. `isKnown`: who asks has logged in from there before, or has proved who they are. */
export function hashingClient(clientIp: string, isKnown: boolean): QueueClient {
  return { name: widestNetworkOf(clientIp), isKnown };
}
