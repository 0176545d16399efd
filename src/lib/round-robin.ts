/** Entries in lists by key, which are served in turn: one entry of each key, the oldest first. */
export class RoundRobin<Entry> {
  /** In the order in which the keys are served. None of the lists is empty. */
  readonly #lists = new Map<string, Entry[]>();
  #size = 0;

  /** The number of entries of all keys. */
  get size(): number {
    return this.#size;
  }

  countOf(key: string): number {
    return this.#lists.get(key)?.length ?? 0;
  }

  /** A key without entries is served after all others. */
  push(key: string, entry: Entry): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [entry]);
    else list.push(entry);
    this.#size++;
  }

  /** Removes and returns the entry that is served next. */
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
    const own = this.countOf(key);
    let ahead = 0;
    let isBehind = false;
    for (const [other, list] of this.#lists) {
      if (other === key) {
        ahead += own;
        isBehind = true;
      } else ahead += Math.min(list.length, isBehind ? own : own + 1);
    }
    return ahead;
  }

  /** Returns the key with the most entries, and of several the one that is served last; undefined without entries. */
  largest(): string | undefined {
    let largest: string | undefined;
    for (const [key, list] of this.#lists) {
      if (largest === undefined || list.length >= this.countOf(largest)) largest = key;
    }
    return largest;
  }

  /** Removes and returns the entry of this key that was added last. */
  pop(key: string): Entry | undefined {
    const entry = this.#lists.get(key)?.at(-1);
    if (entry !== undefined) this.remove(key, entry);
    return entry;
  }

  /** Removes the entry if it is there. The others keep their order. */
  remove(key: string, entry: Entry): void {
    const list = this.#lists.get(key);
    const index = list?.lastIndexOf(entry) ?? -1;
    if (list === undefined || index === -1) return;
    list.splice(index, 1);
    if (list.length === 0) this.#lists.delete(key);
    this.#size--;
  }
}
