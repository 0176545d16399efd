/** Where the state of quotas is kept: in this process, or in the database that all nodes share. */
import type { Database } from '../../database/database.ts';
import type { SharedLimits } from '../../database/shared-limits.ts';
import type { MonotonicClock } from '../../lib/clock.ts';
import { type Decision, foresee, intervalOf, type Quota, settled } from './gcra.ts';
import { createMemoryStore } from './memory-store.ts';

/** Counts each client under each policy (the name of the quota) separately. */
export interface LimitStore {
  /** Takes one request from the client's quota. */
  take(client: string, quota: Quota): Decision | Promise<Decision>;
  /** Returns what `take` would decide, without taking anything. */
  peek(client: string, quota: Quota): Decision | Promise<Decision>;
}

export interface LimitStores {
  /** In the memory of this process: synchronous, and cannot fail. */
  readonly local: {
    take(client: string, quota: Quota): Decision;
    peek(client: string, quota: Quota): Decision;
  };
  /** @throws DatabaseUnavailable: the caller must then not admit the request */
  readonly shared: LimitStore;
}

/** Eight policies can be in memory, so at most 480,000 entries: docs/decisions/0012-rate-limits.md. */
const CAPACITY_PER_POLICY = 60_000;

/** `hash` is applied to keys before they are stored, so that the database does not reveal client IPs. */
export function createLimitStores(
  database: Pick<Database, 'sharedLimits'>,
  monotonicClock: MonotonicClock,
  hash: (key: string) => string,
): LimitStores {
  const memory = createMemoryStore(CAPACITY_PER_POLICY);
  const local = {
    take: (client: string, quota: Quota) => memory.take(client, quota, monotonicClock()),
    peek: (client: string, quota: Quota) => memory.peek(client, quota, monotonicClock()),
  };
  const { sharedLimits } = database;
  return { local, shared: sharedLimits === null ? local : sharedStore(sharedLimits, hash) };
}

function sharedStore(sharedLimits: SharedLimits, hash: (key: string) => string): LimitStore {
  const keyOf = (client: string, { name }: Quota) => hash(`${name}:${client}`);
  return {
    async take(client, quota) {
      const { milliseconds: intervalMs, parts: partsPerMs } = intervalOf(quota);
      const cost = { intervalMs, windowMs: intervalMs * quota.limit, partsPerMs };
      return settled(quota, await sharedLimits.take(keyOf(client, quota), cost));
    },
    async peek(client, quota) {
      const { tat, now } = await sharedLimits.peek(keyOf(client, quota));
      return foresee(quota, tat ?? undefined, now);
    },
  };
}
