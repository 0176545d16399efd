/** Where the counters of the limits are: in this process, or in the database that all nodes share. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Decision, foresee, intervalOf, type Quota, settled } from './gcra.ts';
import { createMemoryStore } from './memory-store.ts';
import { peekAtLimit, takeFromLimit } from './queries.ts';

/** Counts each client under each policy (the quota's name) on its own. */
export interface LimitStore {
  take(client: string, quota: Quota): Decision | Promise<Decision>;
  /** What `take` would say, at no cost. */
  peek(client: string, quota: Quota): Decision | Promise<Decision>;
}

/** Addresses at a time; 32 MB when full. */
const CAPACITY = 1_000_000;

export interface LimitStores {
  /** Answers at once, and cannot fail. */
  readonly local: {
    take(client: string, quota: Quota): Decision;
    peek(client: string, quota: Quota): Decision;
  };
  /** @throws DatabaseUnavailable: who asks it must not go on without an answer. */
  readonly shared: LimitStore;
}

/** `hash` makes of a key what stands in the database, so that it does not tell who came from where. */
export function createLimitStores(
  database: Database,
  clock: Clock,
  hash: (key: string) => string,
): LimitStores {
  const memory = createMemoryStore({ capacity: CAPACITY });
  const local = {
    take: (client: string, quota: Quota) => memory.take(client, quota, clock()),
    peek: (client: string, quota: Quota) => memory.peek(client, quota, clock()),
  };
  return { local, shared: database.engine === 'sqlite' ? local : sharedStore(database, hash) };
}

function sharedStore(database: Database, hash: (key: string) => string): LimitStore {
  const keyOf = (client: string, { name }: Quota) => hash(`${name}:${client}`);
  return {
    async take(client, quota) {
      const { milliseconds, parts } = intervalOf(quota);
      const row = await takeFromLimit(
        database,
        keyOf(client, quota),
        milliseconds,
        milliseconds * quota.limit,
        parts,
      );
      return settled(quota, row.tat, row.touched_at, row.allowed === 1);
    },
    async peek(client, quota) {
      const { tat, now } = await peekAtLimit(database, keyOf(client, quota));
      return foresee(quota, tat ?? undefined, now);
    },
  };
}
