/** Where the counters of the limits are: in this process, or in the database that all nodes share. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../tools/clock.ts';
import { type Decision, foresee, intervalOf, type Quota, settled } from './gcra.ts';
import { createMemoryStore } from './memory-store.ts';
import { peekAtLimit, takeFromLimit } from './queries.ts';

/** A key is one client under one policy. */
export interface LimitStore {
  take(key: string, quota: Quota): Decision | Promise<Decision>;
  /** What `take` would say, at no cost. */
  peek(key: string, quota: Quota): Decision | Promise<Decision>;
}

/** Addresses at a time; 32 MB when full. */
const CAPACITY = 1_000_000;

export interface LimitStores {
  /** Answers at once, and cannot fail. */
  readonly local: {
    take(key: string, quota: Quota): Decision;
    peek(key: string, quota: Quota): Decision;
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
    take: (key: string, quota: Quota) => memory.take(key, quota, clock()),
    peek: (key: string, quota: Quota) => memory.peek(key, quota, clock()),
  };
  return { local, shared: database.engine === 'sqlite' ? local : sharedStore(database, hash) };
}

function sharedStore(database: Database, hash: (key: string) => string): LimitStore {
  return {
    async take(key, quota) {
      const { milliseconds, parts } = intervalOf(quota);
      const row = await takeFromLimit(database, hash(key), milliseconds, milliseconds * quota.limit, parts);
      return settled(quota, row.tat, row.touched_at, row.allowed === 1);
    },
    async peek(key, quota) {
      const { tat, now } = await peekAtLimit(database, hash(key));
      return foresee(quota, tat ?? undefined, now);
    },
  };
}
