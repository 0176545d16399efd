/**
 * The rate limits of a single process: one theoretical arrival time (gcra.ts) per key, which is one client under
 * one policy, in a fixed amount of memory, whatever is sent.
 *
 * Two flat arrays in place of a Map: 32 bytes a key. A Map of address texts takes 150 and more, copies itself
 * as it grows, and has every key visited by the garbage collector. A key is known by a hash of 53 bits (that
 * any two of a million keys share one, and so a limit, has odds of 1 in 18,000), whose high bits choose a group
 * of 64 slots. There are two slots to a key, so that hardly ever a group is full before the store is.
 *
 * Under attack: a newcomer takes the slot whose quota is whole again soonest, nothing lost if it already is.
 * An address that is being refused has a full window to go, an address of someone who rotates through millions
 * of them one interval, so these push out one another. To have a refused address forgotten, the whole capacity
 * must be filled with addresses that have longer to go than it has: more than one request each. The hash has
 * a secret for each policy, so that nobody can aim at one group.
 */
import { randomInt } from 'node:crypto';
import { type Decision, decide, foresee, type Quota } from './gcra.ts';
import { halfSipHash } from './half-sip-hash.ts';

export interface MemoryStore {
  /** Takes one unit from the client's quota. `now` in whole epoch milliseconds, here and below. */
  take(client: string, quota: Quota, now: number): Decision;
  /** What `take` would allow, at no cost to the client. */
  peek(client: string, quota: Quota, now: number): Decision;
  /** Keys held, of which some may have their whole quota back: those go first when room is needed. */
  readonly size: number;
}

/**
 * A store that keeps `capacity` keys (at least 1) and forgets beyond. Its 32 bytes a key are set aside at
 * once, but the system lends a page only when it is written.
 */
export function createMemoryStore(options: { readonly capacity: number }): MemoryStore {
  const table = createTable(options.capacity);
  const secrets = new Map<string, Secret>();
  // Not one hash of name and client: putting texts together for it costs more than all else here.
  const printOf = (client: string, { name }: Quota): number => {
    let secret = secrets.get(name);
    if (secret === undefined) {
      secret = { low: randomInt(2 ** 32), high: randomInt(2 ** 32) };
      secrets.set(name, secret);
    }
    return halfSipHash(client, secret.low, secret.high) || 1;
  };
  return {
    take(client, quota, now) {
      const print = printOf(client, quota);
      const slot = find(table, print);
      const { decision, tat } = decide(quota, slot < 0 ? undefined : table.tats[slot], now);
      table.tats[slot < 0 ? occupy(table, print, now) : slot] = tat;
      return decision;
    },
    peek(client, quota, now) {
      const slot = find(table, printOf(client, quota));
      if (slot < 0) return foresee(quota, undefined, now);
      const decision = foresee(quota, table.tats[slot], now);
      // Differs only after the clock was set back: who is only looked at would else wait until it caught up.
      table.tats[slot] = Math.min(table.tats[slot]!, now + decision.resetMs);
      return decision;
    },
    get size() {
      return table.used;
    },
  };
}

const GROUP_SIZE = 64;

/** Of a policy: two words of 32 bits. */
interface Secret {
  readonly low: number;
  readonly high: number;
}

interface Table {
  readonly capacity: number;
  readonly groups: number;
  /** The hash of the key in each slot; 0 in a slot never used. Within a group the used ones come first. */
  readonly prints: Float64Array;
  readonly tats: Float64Array;
  used: number;
}

function createTable(capacity: number): Table {
  const groups = Math.ceil((2 * capacity) / GROUP_SIZE);
  const slots = groups * GROUP_SIZE;
  return { capacity, groups, prints: new Float64Array(slots), tats: new Float64Array(slots), used: 0 };
}

function firstSlot(table: Table, print: number): number {
  return Math.floor((print / 2 ** 53) * table.groups) * GROUP_SIZE;
}

/** The slot that holds the key, or -1. */
function find(table: Table, print: number): number {
  const start = firstSlot(table, print);
  for (let slot = start; slot < start + GROUP_SIZE; slot += 1) {
    const found = table.prints[slot];
    if (found === print) return slot;
    if (found === 0) return -1;
  }
  return -1;
}

/**
 * Gives a slot of its group to a new key: the one whose quota is whole again soonest, or an unused one if that
 * is yet to come and the store is not full (or the group empty).
 */
function occupy(table: Table, print: number, now: number): number {
  const start = firstSlot(table, print);
  const end = start + GROUP_SIZE;
  let soonest = start;
  let unused = start;
  for (; unused < end && table.prints[unused] !== 0; unused += 1) {
    if (table.tats[unused]! < table.tats[soonest]!) soonest = unused;
  }
  const worthless = unused > start && table.tats[soonest]! <= now;
  const full = unused === end || (unused > start && table.used >= table.capacity);
  const slot = worthless || full ? soonest : unused;
  if (slot === unused) table.used += 1;
  table.prints[slot] = print;
  return slot;
}
