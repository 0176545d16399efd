/** Stores of the state of quotas: in this process, or in the database that all nodes share. */
import type { Database } from '../database/database.ts';
import type { SharedLimits } from '../database/shared-limits.ts';
import type { MonotonicClock } from '../lib/time.ts';
import {
  afterSharedDecision,
  createMemoryStore,
  type Decision,
  getInterval,
  previewDecision,
  type Quota,
} from './gcra.ts';

/**
 * Counts each client under each policy (the name of the quota). All networks of a client, the narrowest first,
 * have to allow a request.
 */
interface LimitStore {
  /** Takes one request from the client's quota. */
  take(client: readonly string[], quota: Quota): Decision | Promise<Decision>;
  /** Returns the decision of `take`, without taking anything. */
  peek(client: readonly string[], quota: Quota): Decision | Promise<Decision>;
}

export type LimitStores = ReturnType<typeof createLimitStores>;

/** Entries per policy. Those of /48 are separate, so that a flood from narrower networks does not evict them. */
const CAPACITY = 30_000;
const CAPACITY_OF_48 = 8_000;

/** `hash` is applied to keys before they are stored, so that the database does not reveal client IPs. */
export function createLimitStores(
  database: Pick<Database, 'sharedLimits'>,
  monotonicClock: MonotonicClock,
  hash: (key: string) => string,
) {
  const local = localStore(monotonicClock);
  const { sharedLimits } = database;
  /** @throws DatabaseUnavailable: the caller must then not admit the request */
  const shared: LimitStore = sharedLimits === null ? local : sharedStore(sharedLimits, hash);
  // The local one, in the memory of this process, is synchronous and cannot fail.
  return { local, shared };
}

function localStore(monotonicClock: MonotonicClock) {
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
    take(client: readonly string[], quota: Quota): Decision {
      const before = client.length === 1 ? undefined : peek(client, quota);
      return before?.allowed === false ? before : decide('take', client, quota);
    },
  };
}

/** A client with three networks is read first, so that a rejected request hardly ever counts for some of them. */
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
 * The quotas of the /64, /56 and /48 of `getNetworks`, as multiples of the configured one: a /48 gets as much as
 * sixteen IPv4 addresses.
 */
const FACTORS = [1, 4, 16];

/** Returns the quota of each network of a client, in the order of `getNetworks`. */
const networkQuotas = (quota: Quota): readonly Quota[] =>
  quotas.getOrInsertComputed(quota, () =>
    FACTORS.map((factor) => (factor === 1 ? quota : { ...quota, limit: quota.limit * factor })),
  );

/** Quotas are settings: few, and as old as the process. */
const quotas = new WeakMap<Quota, readonly Quota[]>();

/** Combines the decisions on one request, which every network has to allow, with the figures of the tightest. */
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
