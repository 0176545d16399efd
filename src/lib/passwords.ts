/**
 * Password hashing: argon2id in threads of low priority, never on the event loop, with a bounded queue
 * (each hash takes 19 MiB, so an unbounded one would be a way to exhaust memory).
 */
import { Worker } from 'node:worker_threads';
import { PREFIX } from './password-parameters.ts';
import type { PasswordAnswer, PasswordJob } from './password-worker.ts';

/** A hash by today's parameters that belongs to no password: verifying against it costs what a real one costs. */
const NOBODY = `${PREFIX}bm9ib2R5IGhhcyB0aGlzIQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

export interface PasswordOptions {
  /** Hashes at a time: one per core. */
  readonly threads: number;
  /** Jobs that may wait for a thread before new ones are refused. */
  readonly queueLimit: number;
  /** A secret outside the database that every hash depends on (RFC 9106 secret value K), or null. */
  readonly pepper: string | null;
}

export interface Verification {
  readonly matches: boolean;
  /** The hash was made with other parameters than today's: make a new one while the password is at hand. */
  readonly outdated: boolean;
}

export interface Passwords {
  /** Gives a PHC string. @throws PasswordsUnavailable */
  hash(password: string): Promise<string>;
  /** Takes as long without a hash (no such account) as with one. @throws PasswordsUnavailable */
  verify(password: string, hash: string | null): Promise<Verification>;
  /** Ends the threads; what waits for them or is in them is refused. */
  close(): Promise<void>;
}

/** This password could not be looked at now, which says nothing about it: the caller should come back later. */
export class PasswordsUnavailable extends Error {
  override name = 'PasswordsUnavailable';
}

/** Gives the hashing by these options. Threads are started when there is work for them. */
export function createPasswords(options: PasswordOptions): Passwords {
  const pool = new HashingPool(options);
  return {
    hash: async (password) => String(await pool.run({ kind: 'hash', password: normalized(password) })),
    verify: async (password, hash) => {
      const job = { kind: 'verify', password: normalized(password), hash: hash ?? NOBODY } as const;
      const matches = (await pool.run(job)) === true && hash !== null;
      return { matches, outdated: hash !== null && !hash.startsWith(PREFIX) };
    },
    close: () => pool.close(),
  };
}

/** NFC, so that é typed on two keyboards is one password (NIST SP 800-63B-4); nothing trimmed, nothing cut. */
function normalized(password: string): string {
  return password.normalize('NFC');
}

interface Waiting {
  readonly job: PasswordJob;
  readonly resolve: (result: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

class HashingPool {
  readonly #options: PasswordOptions;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor(options: PasswordOptions) {
    this.#options = options;
  }

  run(job: PasswordJob): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed());
      if (this.#queue.length >= this.#options.queueLimit) {
        return reject(new PasswordsUnavailable('Too many passwords are waiting to be hashed'));
      }
      this.#queue.push({ job, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed());
    await Promise.all([...this.#idle, ...this.#busy.keys()].map((worker) => worker.terminate()));
  }

  /** A service at rest does not pay for threads. */
  #dispatch(): void {
    while (this.#queue.length > 0 && this.#busy.size < this.#options.threads) {
      const waiting = this.#queue.shift()!;
      try {
        const worker = this.#idle.pop() ?? this.#start();
        this.#busy.set(worker, waiting);
        worker.ref();
        worker.postMessage(waiting.job);
      } catch (cause) {
        waiting.reject(new PasswordsUnavailable('No hashing thread could be started', { cause }));
      }
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
      workerData: { pepper: this.#options.pepper },
    });
    let cause: unknown;
    worker.on('message', (answer: PasswordAnswer) => this.#finish(worker, answer));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => this.#lose(worker, cause));
    return worker;
  }

  #finish(worker: Worker, answer: PasswordAnswer): void {
    const waiting = this.#busy.get(worker);
    this.#busy.delete(worker);
    worker.unref();
    this.#idle.push(worker);
    this.#dispatch();
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.result);
  }

  /** A thread that ended takes its job with it; the next job starts a new one. */
  #lose(worker: Worker, cause: unknown): void {
    const waiting = this.#busy.get(worker);
    this.#busy.delete(worker);
    const place = this.#idle.indexOf(worker);
    if (place >= 0) this.#idle.splice(place, 1);
    waiting?.reject(new PasswordsUnavailable('A hashing thread has ended', { cause }));
    this.#dispatch();
  }
}

function closed(): PasswordsUnavailable {
  return new PasswordsUnavailable('The service is ending');
}
