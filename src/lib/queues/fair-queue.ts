/**
 * Runs work in a limited number of slots and shares the queue for them fairly among clients. Waiting work is served
 * in turn, one piece per client, so that a client with little work waits for few pieces of each of the others
 * (queue-lanes.ts). The queue is bounded by places and by time: work that cannot start in time is rejected instead of
 * kept. That happens only when the queue is full or too slow, and then to the client that has the most places.
 */
import type { MonotonicClock } from '../time.ts';
import { type QueueClient, QueueLanes } from './queue-lanes.ts';

export interface FairQueueOptions {
  readonly slots: number;
  readonly places: number;
  /** Work that waits longer is rejected, and work that is expected to wait longer is not accepted. */
  readonly maxWaitMs: number;
  readonly clock: MonotonicClock;
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

/** Weight of each duration in the average, which begins with 0, because the first work may wait for threads to start. */
const WEIGHT = 1 / 8;

interface WaitingEntry {
  readonly client: QueueClient;
  readonly expiresAt: number;
  readonly start: () => void;
  readonly reject: (reason: string) => void;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lanes = new QueueLanes<WaitingEntry>();
  #running = 0;
  #averageMs = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get load() {
    return { running: this.#running, waiting: this.#lanes.size };
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
    const { maxWaitMs, clock } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: WaitingEntry = {
      client,
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
      this.#lanes.remove(entry);
      entry.reject(EXPIRED);
    }, maxWaitMs);
    this.#lanes.push(entry);
    return promise;
  }

  /** @throws QueueRejection when there is no place for one more of this client */
  #makeRoom(client: QueueClient): void {
    const { maxWaitMs, places } = this.#options;
    while (this.#expectedWaitMs(client) > maxWaitMs) {
      this.#replace(this.#lanes.findDelaying(client), client, 'the wait would be too long');
    }
    if (this.#lanes.size < places) return;
    this.#replace(this.#lanes.findToReplace(client, places), client, 'all places are taken');
  }

  #replace(entry: WaitingEntry | undefined, client: QueueClient, reason: string): void {
    if (entry === undefined) throw this.#rejection(client, reason);
    this.#lanes.remove(entry);
    entry.reject('the place was needed for another client');
  }

  /** Passes the slot on to the next task in the queue, so that later tasks cannot overtake it. */
  #passOn(): void {
    const now = this.#options.clock();
    let next = this.#lanes.shift();
    // Timers are late when something has blocked the event loop.
    for (; next !== undefined && now >= next.expiresAt; next = this.#lanes.shift()) next.reject(EXPIRED);
    if (next === undefined) this.#running--;
    else next.start();
  }

  /** Estimates how long a new piece of work of this client would wait if no others came. */
  #expectedWaitMs(client: QueueClient): number {
    return (this.#lanes.getTurn(client) * this.#averageMs) / this.#options.slots;
  }

  #rejection(client: QueueClient, reason: string): QueueRejection {
    return new QueueRejection(reason, this.#expectedWaitMs(client));
  }
}

const EXPIRED = 'the wait was too long';
