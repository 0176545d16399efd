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
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [entry]);
    else list.push(entry);
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
