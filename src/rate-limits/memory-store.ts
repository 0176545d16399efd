/** Quotas in the memory of one process: a theoretical arrival time (gcra.ts) per policy and client. */
import { LRUCache } from 'lru-cache';
import { decide, previewDecision, type Quota } from './gcra.ts';

/** Keeps the most recent clients of each policy: docs/decisions/0012-rate-limits.md has the cost of evicting one. */
export function createMemoryStore(capacityPerPolicy: number) {
  // A cache per policy, because joining policy and client to one key costs more than all the rest of a call.
  const policies = new Map<string, LRUCache<string, ClientState>>();
  const getClients = ({ name }: Quota): LRUCache<string, ClientState> => {
    const known = policies.get(name);
    if (known !== undefined) return known;
    const clients = new LRUCache<string, ClientState>({ max: capacityPerPolicy });
    policies.set(name, clients);
    return clients;
  };
  return {
    /** Takes one request from the client's quota. `now`: whole milliseconds of a monotonic clock. */
    take(client: string, quota: Quota, now: number) {
      const clients = getClients(quota);
      const entry = clients.get(client);
      const { decision, tat } = decide(quota, entry?.tat, now);
      if (entry === undefined) clients.set(client, { tat });
      else entry.tat = tat;
      return decision;
    },
    /** Returns the decision of `take`, without taking anything. */
    peek: (client: string, quota: Quota, now: number) =>
      previewDecision(quota, getClients(quota).get(client)?.tat, now),
    /** Number of entries of all policies. */
    get size() {
      return policies.values().reduce((sum, clients) => sum + clients.size, 0);
    },
  };
}

/** An object, because changing it is cheaper than setting the key again. */
interface ClientState {
  tat: number;
}
