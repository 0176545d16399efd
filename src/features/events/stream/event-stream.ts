/** The stream of events to one client. */
import { Readable } from 'node:stream';

/**
 * Bytes that may wait for a client, with what Node's HTTP response buffers in addition: at most 1 MiB. A client that
 * reads more slowly than events happen is disconnected, and resumes.
 */
const MAX_UNSENT_BYTES = 1_048_576 - 131_072;

/** Bytes up to which earlier events are read in advance. */
const READ_AHEAD_BYTES = 65_536;

export interface EventStreamOptions {
  /** Identifies the credential that the stream was opened with. */
  readonly owner: string;
  /** The number of the last event that the client has. */
  readonly position: number;
  /** Called when the client has room for earlier events; never while it runs. */
  readonly catchUp: (stream: EventStream) => Promise<void>;
}

export class EventStream extends Readable {
  /** The number of the last event that was sent. */
  position: number;
  /** Whether it gets new events from the feed. Until then it reads earlier ones at the speed of the client. */
  isLive = false;
  readonly owner: string;
  #isReading = false;
  #isWanted = false;
  #hasEnded = false;
  readonly #catchUp: EventStreamOptions['catchUp'];

  constructor({ owner, position, catchUp }: EventStreamOptions) {
    super({ highWaterMark: READ_AHEAD_BYTES });
    this.owner = owner;
    this.position = position;
    this.#catchUp = catchUp;
  }

  override _read(): void {
    if (this.isLive) return;
    this.#isWanted = true;
    if (!this.#isReading) this.#read().catch((error) => this.destroy(error));
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#isWanted && !this.isLive && !this.destroyed) {
      this.#isWanted = false;
      await this.#catchUp(this);
    }
    this.#isReading = false;
  }

  /** Whether everything so far was passed on. */
  get isIdle(): boolean {
    return this.readableLength === 0;
  }

  /** Sends bytes; returns whether the client has room for more. Disconnects a client that has too many unread. */
  send(bytes: Buffer): boolean {
    if (this.destroyed || this.#hasEnded) return false;
    if (this.readableLength + bytes.length <= MAX_UNSENT_BYTES) return this.push(bytes);
    this.destroy();
    return false;
  }

  /** Ends the response. */
  end(): void {
    if (this.destroyed || this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(null);
  }
}
