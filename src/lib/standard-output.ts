/**
 * Standard output for a process that outlives it. When the disk is full, or the reader has gone or stopped
 * reading, lines wait in memory up to a limit, then newer ones are lost; nobody ever waits for them.
 */
import { fstatSync, write, writeSync } from 'node:fs';

const MOST_WAITING_BYTES = 16_777_216;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 500;
const FLUSH_MS = 1_000;
const NOTHING = Buffer.alloc(0);

/** One for the process: it keeps what could not be written yet, and counts what is lost. */
export class StandardOutput {
  readonly #onRecovered: (lostLines: number) => void;
  readonly #fd: number;
  readonly #attempt: Attempt;
  #current: Buffer = NOTHING;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lostLines = 0;
  #isWriting = false;
  #retry: NodeJS.Timeout | undefined;
  #pauseMs = SHORTEST_PAUSE_MS;

  /** `onRecovered` is called when all that waited is written, with the number of lines lost before, if any. */
  constructor(onRecovered: (lostLines: number) => void) {
    this.#onRecovered = onRecovered;
    // Asking for the stream makes a pipe non-blocking, which a file descriptor alone cannot be made.
    this.#fd = process.stdout.fd;
    this.#attempt = isPipe(this.#fd) ? writeNow : writeInThread;
  }

  /** Takes whole lines, and writes them in their order. */
  write(lines: string): void {
    if (this.#current.length + this.#waitingBytes + lines.length > MOST_WAITING_BYTES) {
      this.#lostLines += lines.split('\n').length - 1;
    } else {
      // As bytes: a string put together of many keeps them all, at several times the memory.
      const bytes = Buffer.from(lines);
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
    }
    this.#next();
  }

  /** Writes what waits, for at most a second: the last thing a process does. */
  flush(): void {
    // What a thread is writing goes out before the process ends: it only has to be the first.
    if (this.#isWriting) pause();
    const current = this.#isWriting ? NOTHING : this.#current;
    this.#current = NOTHING;
    writeToEnd(this.#fd, Buffer.concat([current, this.#takeWaiting()]));
  }

  #takeWaiting(): Buffer {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return bytes;
  }

  #next(): void {
    if (this.#isWriting) return;
    if (this.#current.length === 0) this.#current = this.#takeWaiting();
    if (this.#current.length === 0) return;
    this.#isWriting = true;
    this.#attempt(this.#fd, this.#current, (error, written) => this.#settle(error, written));
  }

  #settle(error: Error | null, written: number): void {
    this.#isWriting = false;
    // Whatever it is, it may pass.
    this.#pauseMs = error === null ? SHORTEST_PAUSE_MS : Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    this.#current = written < this.#current.length ? this.#current.subarray(written) : NOTHING;
    if (this.#current.length > 0) this.#retryLater();
    else if (this.#waitingBytes > 0) this.#next();
    else if (this.#lostLines > 0) {
      const lost = this.#lostLines;
      this.#lostLines = 0;
      this.#onRecovered(lost);
    }
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#next(), this.#pauseMs).unref();
  }
}

type Attempt = (fd: number, bytes: Buffer, settle: (error: Error | null, written: number) => void) => void;

function isPipe(fd: number): boolean {
  const status = fstatSync(fd);
  return status.isFIFO() || status.isSocket();
}

/** For pipes: they take at once what they have room for, and a thread could not tell `flush` how much that was. */
const writeNow: Attempt = (fd, bytes, settle) => {
  let written = 0;
  try {
    written = writeSync(fd, bytes);
  } catch (error) {
    settle(error as Error, 0);
    return;
  }
  settle(null, written);
};

/** For files and terminals, which make whoever writes wait for the disk, or for a key. */
const writeInThread: Attempt = (fd, bytes, settle) => write(fd, bytes, settle);

function writeToEnd(fd: number, bytes: Buffer): void {
  const end = performance.now() + FLUSH_MS;
  let rest = bytes;
  while (rest.length > 0 && performance.now() < end) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      pause();
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SHORTEST_PAUSE_MS);
}
