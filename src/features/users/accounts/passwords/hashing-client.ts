/** Clients of the hashing queue: they share the threads and the queue fairly (lib/queue-lanes.ts). */
import { getWidestNetwork } from '../../../../lib/network.ts';
import type { QueueClient } from '../../../../lib/queues/queue-lanes.ts';

/** For passwords that the administrator sets. */
export const ADMINISTRATOR: QueueClient = { network: 'administrator', account: 'administrator' };

/** Returns the client of a request. `account`: the id of the user, if the client is known to be that user. */
export function toHashingClient(clientIp: string, account: string | null): QueueClient {
  return { network: getWidestNetwork(clientIp), account };
}
