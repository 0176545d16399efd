/**
 * Runs work in a limited number of slots and shares the queue for them fairly among clients. Waiting work is served
 * in turn, one piece per client, so that a client with little work waits for few pieces of each of the others. Known
 * and unknown clients wait in two lanes that are served alternately: any number of unknown clients leaves the known
 * ones half of the slots and of the places. The queue is bounded by places and by time: work that cannot start in
 * time is rejected instead of kept.
 */
import type { MonotonicClock } from './clock.ts';
import { RoundRobin } from './round-robin.ts';

export interface FairQueueOptions {
  /** Maximum number of pieces of work that run at once. */
  readonly slots: number;
  /** Maximum number of pieces of work that wait. */
  readonly places: number;
  /** Work that waits longer is rejected, and work that is expected to wait longer is not accepted. */
  readonly maxWaitMs: number;
  readonly clock: MonotonicClock;
}

/** Whom work is for. */
export interface QueueClient {
  readonly name: string;
  /** Known clients do not wait for the unknown ones, of whom an attacker can pretend any number. */
  readonly isKnown: boolean;
}

/** The work was not started, and will not be. */
export class QueueRejection extends Error {
  override name = 'QueueRejection';
  /** After this time the same work is likely to be accepted. At least 1. */
  readonly retryAfterSeconds: number;

  constructor(message: string, expectedWaitMs: number) {
    super(message);
    this.retryAfterSeconds = Math.max(1, Math.ceil(expectedWaitMs / 1000));
  }
}

/** While others wait, nobody has more places than this share of them. */
const SHARE = 1 / 4;

/** Weight of each duration in the average, which begins with 0, because the first work may wait for threads to start. */
const WEIGHT = 1 / 8;

interface Entry {
  readonly expiresAt: number;
  readonly start: () => void;
  readonly reject: (reason: string) => void;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #share: number;
  readonly #known = new RoundRobin<Entry>();
  readonly #unknown = new RoundRobin<Entry>();
  #lastServed = this.#unknown;
  #running = 0;
  #averageMs = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#share = Math.max(1, Math.floor(options.places * SHARE));
  }

  /** Runs the work as soon as it is the turn of this client. @throws QueueRejection */
  async run<T>(client: QueueClient, work: () => Promise<T>): Promise<T> {
    const { slots, clock } = this.#options;
    if (this.#running < slots) this.#running++;
    else await this.#wait(client);
    const startedAt = clock();
    try {
      const result = await work();
      this.#averageMs += (clock() - startedAt - this.#averageMs) * WEIGHT;
      return result;
    } finally {
      this.#passOn();
    }
  }

  #wait(client: QueueClient): Promise<void> {
    this.#makeRoom(client);
    const lane = this.#laneOf(client);
    const { maxWaitMs, clock } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Entry = {
      expiresAt: clock() + maxWaitMs,
      start: () => {
        clearTimeout(timer);
        resolve();
      },
      reject: (reason) => {
        clearTimeout(timer);
        reject(this.#rejection(client, reason));
      },
    };
    const timer = setTimeout(() => {
      lane.remove(client.name, entry);
      entry.reject(EXPIRED);
    }, maxWaitMs);
    lane.push(client.name, entry);
    return promise;
  }

  /** @throws QueueRejection when there is no place for one more of this client */
  #makeRoom(client: QueueClient): void {
    const { maxWaitMs, places } = this.#options;
    const lane = this.#laneOf(client);
    const own = lane.countOf(client.name);
    const waiting = this.#known.size + this.#unknown.size;
    if (own >= this.#share && own < waiting) throw this.#rejection(client, 'the client has its share');
    if (this.#expectedWaitMs(client) > maxWaitMs) throw this.#rejection(client, 'the wait would be too long');
    if (waiting < places) return;
    if (lane.size < Math.floor(places / 2)) rejectNewest(this.#otherLane(lane));
    // Within a lane, a place is taken away only where that makes the shares more equal.
    else if (lane.countOf(lane.largest() ?? '') > own + 1) rejectNewest(lane);
    else throw this.#rejection(client, 'all places are taken');
  }

  #laneOf({ isKnown }: QueueClient): RoundRobin<Entry> {
    return isKnown ? this.#known : this.#unknown;
  }

  #otherLane(lane: RoundRobin<Entry>): RoundRobin<Entry> {
    return lane === this.#known ? this.#unknown : this.#known;
  }

  /** Passes the slot on to the next task in the queue, so that later tasks cannot overtake it. */
  #passOn(): void {
    const now = this.#options.clock();
    let next = this.#shift();
    // Timers are late when something has blocked the event loop.
    for (; next !== undefined && now >= next.expiresAt; next = this.#shift()) next.reject(EXPIRED);
    if (next === undefined) this.#running--;
    else next.start();
  }

  /** Removes and returns the work that is served next. The lanes take turns while both of them have work. */
  #shift(): Entry | undefined {
    const other = this.#otherLane(this.#lastServed);
    if (other.size > 0) this.#lastServed = other;
    return this.#lastServed.shift();
  }

  /** Estimates how long a new piece of work of this client would wait if no others came. */
  #expectedWaitMs(client: QueueClient): number {
    const lane = this.#laneOf(client);
    const position = lane.countAhead(client.name) + 1;
    const ofOtherLane = Math.min(this.#otherLane(lane).size, position);
    return ((position + ofOtherLane) * this.#averageMs) / this.#options.slots;
  }

  #rejection(client: QueueClient, reason: string): QueueRejection {
    return new QueueRejection(reason, this.#expectedWaitMs(client));
  }
}

const EXPIRED = 'the wait was too long';

/** Rejects the newest work of the client with the most. */
function rejectNewest(lane: RoundRobin<Entry>): void {
  lane.pop(lane.largest()!)!.reject('the place was needed for another client');
}
