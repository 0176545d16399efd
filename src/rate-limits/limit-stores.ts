/** Stores of the state of quotas: in this process, or in the database that all nodes share. */
import type { Database } from '../database/database.ts';
import type { SharedLimits } from '../database/shared-limits.ts';
import type { MonotonicClock } from '../lib/time/clock.ts';
import { afterSharedDecision, type Decision, getInterval, previewDecision, type Quota } from './gcra.ts';
import { createMemoryStore } from './memory-store.ts';

/**
 * Counts each client under each policy (the name of the quota) separately. A client is the list of its networks,
 * the narrowest first: each has its own quota (network-quotas.ts), and all have to allow a request. A request that
 * one of them rejects is not taken from the others.
 */
interface LimitStore {
  /** Takes one request from the client's quota. */
  take(client: readonly string[], quota: Quota): Decision | Promise<Decision>;
  /** Returns the decision of `take`, without taking anything. */
  peek(client: readonly string[], quota: Quota): Decision | Promise<Decision>;
}

export interface LimitStores {
  /** In the memory of this process: synchronous, and cannot fail. */
  readonly local: {
    take(client: readonly string[], quota: Quota): Decision;
    peek(client: readonly string[], quota: Quota): Decision;
  };
  /** @throws DatabaseUnavailable: the caller must then not admit the request */
  readonly shared: LimitStore;
}

/**
 * Entries per policy. The networks of /48 have their own, so that a flood from the many narrower networks of one
 * cannot evict it. Seventeen policies can be in memory: docs/decisions/0012-rate-limits.md has the size.
 */
const CAPACITY = 30_000;
const CAPACITY_OF_48 = 8_000;

/** `hash` is applied to keys before they are stored, so that the database does not reveal client IPs. */
export function createLimitStores(
  database: Pick<Database, 'sharedLimits'>,
  monotonicClock: MonotonicClock,
  hash: (key: string) => string,
): LimitStores {
  const local = localStore(monotonicClock);
  const { sharedLimits } = database;
  return { local, shared: sharedLimits === null ? local : sharedStore(sharedLimits, hash) };
}

function localStore(monotonicClock: MonotonicClock): LimitStores['local'] {
  const memory = createMemoryStore(CAPACITY);
  const stores = [memory, memory, createMemoryStore(CAPACITY_OF_48)];
  const decide = (verb: 'take' | 'peek', client: readonly string[], quota: Quota): Decision => {
    const now = monotonicClock();
    if (client.length === 1) return memory[verb](client[0]!, quota, now);
    const quotas = networkQuotas(quota);
    return combine(client.map((network, index) => stores[index]![verb](network, quotas[index]!, now)));
  };
  const peek = (client: readonly string[], quota: Quota) => decide('peek', client, quota);
  return {
    peek,
    take(client, quota) {
      const before = client.length === 1 ? undefined : peek(client, quota);
      return before?.allowed === false ? before : decide('take', client, quota);
    },
  };
}

/**
 * A client with one network takes one round trip. With three, it takes one to read all and then one for each: a request
 * that is rejected only reads, as a rule. Concurrent requests may have used up the quota of a wider network since; only
 * then does the rejected request stay counted for the narrower ones.
 */
function sharedStore(sharedLimits: SharedLimits, hash: (key: string) => string): LimitStore {
  const single = singleStore(sharedLimits, hash);
  const peek = async (client: readonly string[], quota: Quota): Promise<Decision> => {
    const quotas = networkQuotas(quota);
    return combine(await Promise.all(client.map((network, index) => single.peek(network, quotas[index]!))));
  };
  return {
    peek,
    async take(client, quota) {
      if (client.length === 1) return single.take(client[0]!, quota);
      const before = await peek(client, quota);
      if (!before.allowed) return before;
      const decisions: Decision[] = [];
      for (const [index, network] of client.entries()) {
        const decision = await single.take(network, networkQuotas(quota)[index]!);
        decisions.push(decision);
        if (!decision.allowed) break;
      }
      return combine(decisions);
    },
  };
}

/** The quotas of single networks in the database. */
function singleStore(sharedLimits: SharedLimits, hash: (key: string) => string) {
  const toKey = (network: string, { name }: Quota) => hash(`${name}:${network}`);
  return {
    async take(network: string, quota: Quota): Promise<Decision> {
      const { milliseconds: intervalMs, parts: partsPerMs } = getInterval(quota);
      const cost = { intervalMs, windowMs: intervalMs * quota.limit, partsPerMs };
      return afterSharedDecision(quota, await sharedLimits.take(toKey(network, quota), cost));
    },
    async peek(network: string, quota: Quota): Promise<Decision> {
      const { tat, now } = await sharedLimits.peek(toKey(network, quota));
      return previewDecision(quota, tat ?? undefined, now);
    },
  };
}

/**
 * The quotas of the /64, /56 and /48 of `getNetworks`, as multiples of the configured one. Wider networks may belong
 * to many subscribers (mobile networks assign a /64 to each), so they have more than one share; but so few that the
 * whole of a /48 gets no more than sixteen IPv4 addresses do.
 */
const FACTORS = [1, 4, 16];

/** Returns the quota of each network of a client, in the order of `getNetworks`. */
function networkQuotas(quota: Quota): readonly Quota[] {
  const known = quotas.get(quota);
  if (known !== undefined) return known;
  const scaled = FACTORS.map((factor) => (factor === 1 ? quota : { ...quota, limit: quota.limit * factor }));
  quotas.set(quota, scaled);
  return scaled;
}

/** Quotas are settings: few, and as old as the process. */
const quotas = new WeakMap<Quota, readonly Quota[]>();

/**
 * Combines the decisions on one request: it is allowed if every network allows it. The figures are those of the
 * network with the fewest remaining requests, never more than the narrowest has.
 */
export function combine(decisions: readonly Decision[]): Decision {
  let tightest = decisions[0]!;
  let allowed = true;
  for (const decision of decisions) {
    allowed &&= decision.allowed;
    const difference = decision.remaining - tightest.remaining;
    // With as few remaining, one more is added when the slower one adds it.
    if (difference < 0 || (difference === 0 && decision.nextSeconds > tightest.nextSeconds))
      tightest = decision;
  }
  return { ...tightest, allowed, retryAfterSeconds: allowed ? 0 : tightest.nextSeconds };
}
