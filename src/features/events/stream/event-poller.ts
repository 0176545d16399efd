/** Reads new events while there are streams, once for all of them. */
import type { Logger } from 'pino';
import { type Database, DatabaseUnavailable } from '../../../database/database.ts';
import { readChain, readThinEvents, type ThinEventRow } from '../queries.ts';
import type { EventStream } from './event-stream.ts';

const INTERVAL_MS = 150;
/** Less than the 15 seconds that the description promises: programs and proxies close connections without traffic. */
const COMMENT_INTERVAL_MS = 10_000;
export const BATCH_SIZE = 500;
const COMMENT = Buffer.from(': keep-alive\n\n');

export interface PollerOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Formats events as they are sent. */
  readonly format: (events: readonly ThinEventRow[]) => Buffer;
}

export class EventPoller {
  /** The number of the last event that was read. */
  position = 0;
  readonly streams = new Set<EventStream>();
  readonly #options: PollerOptions;
  #timers: NodeJS.Timeout[] = [];
  #isPolling = false;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** Starts with the events after `number`, unless it runs. */
  start(number: number): void {
    if (this.#timers.length > 0) return;
    this.position = number;
    const poll = setInterval(() => this.#pollOnce(), INTERVAL_MS);
    const comment = setInterval(() => this.#sendComment(), COMMENT_INTERVAL_MS);
    this.#timers = [poll.unref(), comment.unref()];
  }

  /** Adds a stream until it is closed. */
  add(stream: EventStream): void {
    this.streams.add(stream);
    stream.once('close', () => {
      this.streams.delete(stream);
      if (this.streams.size > 0) return;
      for (const timer of this.#timers) clearInterval(timer);
      this.#timers = [];
    });
  }

  #pollOnce(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#poll()
      .catch((error) => {
        // The log has a line about an unavailable database already.
        if (error instanceof DatabaseUnavailable) return;
        this.#options.logger.error({ err: error }, 'events cannot be streamed');
      })
      .finally(() => {
        this.#isPolling = false;
      });
  }

  async #poll(): Promise<void> {
    const { database } = this.#options;
    const { number } = await readChain(database);
    while (this.position < number) {
      const low = this.position;
      const events = await readThinEvents(database, { low, high: number }, BATCH_SIZE);
      // Stopped meanwhile, and perhaps started again.
      if (this.position !== low || this.streams.size === 0) return;
      this.position = events.at(-1)?.number ?? number;
      this.#broadcast(events, low);
    }
  }

  /** Sends events with numbers after `low`. */
  #broadcast(events: readonly ThinEventRow[], low: number): void {
    const { format } = this.#options;
    const bytes = format(events);
    for (const stream of this.streams) {
      if (!stream.isLive || stream.position >= this.position) continue;
      // A client that has read the list may be ahead of the poller.
      const isAhead = stream.position > low;
      stream.send(isAhead ? format(events.filter(({ number }) => number > stream.position)) : bytes);
      stream.position = this.position;
    }
  }

  #sendComment(): void {
    for (const stream of this.streams) if (stream.isIdle) stream.send(COMMENT);
  }
}
