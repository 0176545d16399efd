/**
 * Waiting work in two lanes, which are served alternately. Known clients wait in one of them and are served in turn
 * by account, unknown ones in the other and are served in turn by network: any number of unknown clients leaves the
 * known ones half of the turns and of the places, and any number of networks has one turn per account.
 */

export interface QueueClient {
  /** All work from one network shares the places of the queue, whether it is for known or unknown clients. */
  readonly network: string;
  /** A known client has an account; null is an unknown one: an attacker can pretend to be any number of those. */
  readonly account: string | null;
}

export class QueueLanes<Work extends { readonly client: QueueClient }> {
  readonly #known = new RoundRobin<Work>();
  readonly #unknown = new RoundRobin<Work>();
  readonly #placesByNetwork = new Map<string, number>();
  #lastServed = this.#unknown;

  get size(): number {
    return this.#known.size + this.#unknown.size;
  }

  push(work: Work): void {
    this.#getLane(work.client).push(toKey(work.client), work);
    this.#countPlace(work, 1);
  }

  remove(work: Work): void {
    if (this.#getLane(work.client).remove(toKey(work.client), work)) this.#countPlace(work, -1);
  }

  /** Removes and returns the work that is served next. The lanes take turns while both of them have work. */
  shift(): Work | undefined {
    const other = this.#otherLane(this.#lastServed);
    if (other.size > 0) this.#lastServed = other;
    const work = this.#lastServed.shift();
    if (work !== undefined) this.#countPlace(work, -1);
    return work;
  }

  /** Returns the turn in which new work of this client would be served if no others came: at least 1. */
  getTurn(client: QueueClient): number {
    const lane = this.#getLane(client);
    const position = lane.countAhead(toKey(client)) + 1;
    return position + Math.min(this.#otherLane(lane).size, position);
  }

  /**
   * Returns the work that gives its place up for new work of this client when there are `places`: that of the client
   * with the most places in the other lane, if that lane has taken some of this one's half, otherwise in this lane.
   */
  findToReplace(client: QueueClient, places: number): Work | undefined {
    const lane = this.#getLane(client);
    if (lane.size < Math.floor(places / 2)) return this.#findLargest(this.#otherLane(lane), 0);
    return this.#findLargest(lane, this.#countShare(client) + 1);
  }

  /** Returns work without which new work of this client would be served earlier, of a client with more places. */
  findDelaying(client: QueueClient): Work | undefined {
    const delaying = this.#getLane(client).delaying(toKey(client));
    return this.#findLargest(delaying, this.#countShare(client) + 1);
  }

  /** Returns the newest work of the client with the most places, if these are more than `share`. */
  #findLargest(candidates: Iterable<Work>, share: number): Work | undefined {
    let found: Work | undefined;
    let largest = share + 1;
    for (const work of candidates) {
      const places = this.#countShare(work.client);
      if (places < largest) continue;
      found = work;
      largest = places;
    }
    return found;
  }

  /** Returns the places of the network, or of the account where that has more: it may come from many networks. */
  #countShare(client: QueueClient): number {
    const ofNetwork = this.#placesByNetwork.get(client.network) ?? 0;
    return Math.max(ofNetwork, this.#getLane(client).countByKey(toKey(client)));
  }

  #getLane({ account }: QueueClient): RoundRobin<Work> {
    return account === null ? this.#unknown : this.#known;
  }

  #otherLane(lane: RoundRobin<Work>): RoundRobin<Work> {
    return lane === this.#known ? this.#unknown : this.#known;
  }

  #countPlace({ client: { network } }: Work, change: 1 | -1): void {
    const count = (this.#placesByNetwork.get(network) ?? 0) + change;
    if (count === 0) this.#placesByNetwork.delete(network);
    else this.#placesByNetwork.set(network, count);
  }
}

/** The key by which a client is served in turn in its lane. */
const toKey = ({ account, network }: QueueClient): string => account ?? network;

/** Entries in lists by key, which are served in turn: one entry of each key, the oldest first. */
export class RoundRobin<Entry> {
  /** In the order in which the keys are served. None of the lists is empty. */
  readonly #lists = new Map<string, Entry[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (const list of this.#lists.values()) yield* list;
  }

  countByKey(key: string): number {
    return this.#lists.get(key)?.length ?? 0;
  }

  /** A key without entries is served after all others. */
  push(key: string, entry: Entry): void {
    this.#lists.getOrInsert(key, []).push(entry);
    this.#size++;
  }

  shift(): Entry | undefined {
    const first = this.#lists.entries().next().value;
    if (first === undefined) return undefined;
    const [key, list] = first;
    const entry = list.shift();
    this.#lists.delete(key);
    if (list.length > 0) this.#lists.set(key, list);
    this.#size--;
    return entry;
  }

  /** Returns how many of the present entries would be served before a new entry of this key. */
  countAhead(key: string): number {
    let ahead = 0;
    for (const [, count] of this.#ahead(key)) ahead += count;
    return ahead;
  }

  /** Returns the entries without each of which a new entry of this key would be served one turn earlier. */
  *delaying(key: string): Generator<Entry> {
    for (const [list, count] of this.#ahead(key)) {
      // If more work is queued, the next item would move up.
      if (count === list.length) yield list.at(-1)!;
    }
  }

  /** Returns of each list how many of its entries would be served before a new entry of this key. */
  *#ahead(key: string): Generator<readonly [list: readonly Entry[], count: number]> {
    const own = this.countByKey(key);
    let isBehind = false;
    for (const [other, list] of this.#lists) {
      if (other === key) isBehind = true;
      yield [list, Math.min(list.length, isBehind ? own : own + 1)];
    }
  }

  /** Removes the entry and returns whether it was there. The others keep their order. */
  remove(key: string, entry: Entry): boolean {
    const list = this.#lists.get(key);
    const index = list?.lastIndexOf(entry) ?? -1;
    if (list === undefined || index === -1) return false;
    list.splice(index, 1);
    if (list.length === 0) this.#lists.delete(key);
    this.#size--;
    return true;
  }
}
