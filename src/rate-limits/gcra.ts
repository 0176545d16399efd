/**
 * Generic cell rate algorithm (GCRA, ITU-T I.371) as pure functions. The theoretical arrival time (TAT) of a
 * client is the moment at which its quota is fully restored.
 */
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../lib/max-entries.ts';

/** `limit` requests in every `windowSeconds`; both integers, at least 1. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** Remaining requests, 0 to `limit`: parameter r. */
  readonly remaining: number;
  /** Seconds, rounded up, until `remaining` increases; 0 only while the quota is unused: parameter t. */
  readonly nextSeconds: number;
  /** 0 when allowed, otherwise the seconds, rounded up, after which this request is allowed. Never less than t. */
  readonly retryAfterSeconds: number;
  /** Milliseconds, rounded up, until the quota is fully restored; 0 while it is unused. */
  readonly resetMs: number;
}

/** Returns the decision on a request at `now` (whole milliseconds), and the TAT to store, at most a window ahead. */
export function decide(
  quota: Quota,
  tat: number | undefined,
  now: number,
): { decision: Decision; tat: number } {
  const scale = getScale(quota);
  const debt = getDebt(scale, tat, now);
  const allowed = debt + scale.interval <= scale.whole;
  const after = allowed ? debt + scale.interval : debt;
  return { decision: toDecision(scale, after, allowed), tat: now + after / scale.parts };
}

/** Returns the decision of `decide` at `now`, with the figures before the request. */
export function previewDecision(quota: Quota, tat: number | undefined, now: number): Decision {
  const scale = getScale(quota);
  const debt = getDebt(scale, tat, now);
  return toDecision(scale, debt, debt + scale.interval <= scale.whole);
}

/** Returns the figures after a request that a shared store has decided on. */
export function afterSharedDecision(
  quota: Quota,
  { tat, now, allowed }: { tat: number; now: number; allowed: boolean },
): Decision {
  const scale = getScale(quota);
  return toDecision(scale, getDebt(scale, tat, now), allowed);
}

/** Returns the cost of one request in milliseconds, and the fraction of a millisecond it is calculated in. */
export function getInterval(quota: Quota): { readonly milliseconds: number; readonly parts: number } {
  const { parts, interval } = getScale(quota);
  return { milliseconds: interval / parts, parts };
}

/** The unit of calculation of a quota: `parts` per millisecond. */
interface Scale {
  readonly parts: number;
  /** Parts that one request costs. */
  readonly interval: number;
  /** Parts that all requests of the quota cost together. */
  readonly whole: number;
}

/** A float64 of epoch milliseconds resolves 1/2048 until the year 2109; half of that is safe to distinguish. */
const MAX_PARTS = 1024;

/**
 * Parts of a millisecond make intervals whole numbers, whose sums do not drift: sevenths for 7 requests in 60 s.
 * Beyond 1/1024 ms, intervals are rounded up, which is stricter.
 */
function getScale(quota: Quota): Scale {
  const known = scales.get(quota);
  if (known !== undefined) return known;
  const { limit, windowSeconds } = quota;
  const windowMs = windowSeconds * 1000;
  const parts = Math.min(limit / greatestCommonDivisor(windowMs, limit), MAX_PARTS);
  const interval = Math.ceil((windowMs * parts) / limit);
  const scale = { parts, interval, whole: interval * limit };
  scales.set(quota, scale);
  return scale;
}

/** Quotas are settings: few, and as old as the process. */
const scales = new WeakMap<Quota, Scale>();

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Returns the used part of the quota in the scale's unit. Rounding restores the whole number behind the TAT. */
function getDebt(scale: Scale, tat: number | undefined, now: number): number {
  if (tat === undefined || tat <= now) return 0;
  return Math.min(Math.round((tat - now) * scale.parts), scale.whole);
}

function toDecision({ parts, interval, whole }: Scale, debt: number, allowed: boolean): Decision {
  const free = whole - debt;
  const remaining = Math.floor(free / interval);
  const missing = debt === 0 ? 0 : (remaining + 1) * interval - free;
  const nextSeconds = Math.ceil(missing / parts / 1000);
  return {
    allowed,
    remaining,
    nextSeconds,
    retryAfterSeconds: allowed ? 0 : nextSeconds,
    resetMs: Math.ceil(debt / parts),
  };
}

/** Keeps the most recent clients of each policy: docs/decisions/0012-rate-limits.md has the cost of evicting one. */
export function createMemoryStore(capacityPerPolicy: number) {
  // A cache per policy, because joining policy and client to one key costs more than all the rest of a call.
  const policies = new Map<string, LRUCache<string, ClientState>>();
  const create = () => new LRUCache<string, ClientState>(maxEntries(capacityPerPolicy));
  const getClients = ({ name }: Quota) => policies.getOrInsertComputed(name, create);
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
