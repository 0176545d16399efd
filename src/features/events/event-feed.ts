/** Sends new events to all streams of this process: one poller looks for them, and one read serves all that wait. */
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { type Database, DatabaseUnavailable } from '../../database/database.ts';
import { coalesce } from '../../lib/queues/shared-work.ts';
import { Problem } from '../../problems/problem.ts';
import { checkPosition, type EventPosition } from './list/list-events.ts';
import { findDigest, readChain, readThinEvents, type ThinEventRow } from './queries.ts';

const INTERVAL_MS = 150;
/** Less than the 15 seconds that the description promises: programs and proxies close connections without traffic. */
const COMMENT_INTERVAL_MS = 10_000;
const COMMENT = Buffer.from(': keep-alive\n\n');
const BATCH_SIZE = 500;
/** Bytes of events that are read in advance for a client. */
const READ_AHEAD_BYTES = 65_536;
/** Streams that are open on this node. */
const MAX_STREAMS = 200;
const MAX_STREAMS_PER_CREDENTIAL = 20;
const RETRY_SECONDS = 10;

interface EventFeedOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly format: (events: readonly ThinEventRow[]) => Buffer;
}

/** Reads events after a position at the speed of the client, and then those that the feed announces. */
class EventStream extends Readable {
  #hasEnded = false;
  readonly #readNext: () => Promise<Buffer | null>;

  /** `readNext` returns null at the end. */
  constructor(readNext: () => Promise<Buffer | null>) {
    super({ highWaterMark: READ_AHEAD_BYTES });
    this.#readNext = readNext;
  }

  override _read(): void {
    this.#readNext().then(
      (bytes) => {
        if (!this.destroyed && !this.#hasEnded) this.push(bytes);
      },
      (error) => this.destroy(error),
    );
  }

  end(): void {
    if (this.destroyed || this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(null);
  }
}

export class EventFeed {
  readonly #options: EventFeedOptions;
  /** The credentials of the open streams. */
  readonly #streams = new Map<EventStream, string>();
  /** The last number that the poller has found. */
  #head = 0;
  /** Is resolved when there are new events, or a comment is to be sent. */
  #news = Promise.withResolvers<void>();
  #timers: NodeJS.Timeout[] = [];
  #lastRead: { range: string; events: Promise<{ last: number; bytes: Buffer } | null> } | null = null;
  #isClosed = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /**
   * Opens a stream that begins after this event; null: with events that are still to come. `owner` identifies the
   * credential. Returns it with the position of the event before its first one.
   * @throws Problem events_expired, too_many_streams, service_unavailable (the node has no room, or the service stops)
   */
  async open(owner: string, after: EventPosition | null) {
    const { database } = this.#options;
    const chain = await readChain(database);
    if (after !== null) await checkPosition(database, after, chain);
    const number = after?.[0] ?? chain.number;
    const digest = (await findDigest(database, number, chain)) ?? '';
    if (this.#isClosed) throw new Problem('service_unavailable');
    this.#rejectIfFull(owner);
    if (this.#streams.size === 0) this.#start(chain.number);
    let position = number;
    const stream = new EventStream(async () => {
      if (position >= this.#head) await this.#news.promise;
      if (position >= this.#head) return COMMENT;
      const found = await this.#readAfter(position);
      position = found?.last ?? position;
      return found?.bytes ?? null;
    });
    this.#streams.set(stream, owner);
    stream.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) for (const timer of this.#timers) clearInterval(timer);
    });
    return { stream, number, digest };
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams.keys()) stream.end();
  }

  #rejectIfFull(owner: string): void {
    const retry = { retryAfterSeconds: RETRY_SECONDS };
    if (this.#streams.size >= MAX_STREAMS) throw new Problem('service_unavailable', retry);
    const own = this.#streams.values().filter((each) => each === owner);
    if ([...own].length >= MAX_STREAMS_PER_CREDENTIAL) throw new Problem('too_many_streams', retry);
  }

  #start(head: number): void {
    this.#head = head;
    const poll = setInterval(
      coalesce(() => this.#poll()),
      INTERVAL_MS,
    );
    const comment = setInterval(() => this.#wake(), COMMENT_INTERVAL_MS);
    this.#timers = [poll.unref(), comment.unref()];
  }

  async #poll(): Promise<void> {
    const { database, logger } = this.#options;
    try {
      const { number } = await readChain(database);
      if (number <= this.#head) return;
      this.#head = number;
      this.#wake();
    } catch (error) {
      // The log has a line about an unavailable database already.
      if (!(error instanceof DatabaseUnavailable)) logger.error({ err: error }, 'events cannot be streamed');
    }
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Reads the next events, for all streams that are at this position; null if they were deleted meanwhile. */
  #readAfter(low: number) {
    const { database, format } = this.#options;
    const high = this.#head;
    const range = `${low} ${high}`;
    if (this.#lastRead?.range === range) return this.#lastRead.events;
    const events = readThinEvents(database, { low, high, limit: BATCH_SIZE }).then((rows) =>
      // Numbers have no gaps.
      rows[0]?.number === low + 1 ? { last: rows.at(-1)!.number, bytes: format(rows) } : null,
    );
    this.#lastRead = { range, events };
    events.catch(() => {
      this.#lastRead = null;
    });
    return events;
  }
}
