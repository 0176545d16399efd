/**
 * Password hashing with argon2id in threads of low priority. The queue is shared fairly among clients and bounded by
 * places and by time: an unbounded one would let some clients make all others wait.
 */
import type { Piscina } from 'piscina';
import { FairQueue, QueueRejection } from '../queues/fair-queue.ts';
import type { QueueClient } from '../queues/queue-lanes.ts';
import { normalizeNfc } from '../text/normalize.ts';
import { monotonic } from '../time.ts';
import { splitPrehash } from './foreign/prehash.ts';
import { describeStored } from './foreign-hashes.ts';
import {
  createUnmatchableHash,
  formatPrefix,
  PARAMETERS,
  type PasswordParameters,
} from './password-parameters.ts';
import type { PasswordResult, PasswordTask } from './password-worker.ts';

/** Threads beyond the first end after this time without work. */
const IDLE_THREAD_MS = 60_000;

/** On other systems than Linux the nice value belongs to the process, and would slow the event loop down. */
const NICE_INCREMENT = process.platform === 'linux' ? 19 : 0;

export interface PasswordOptions {
  readonly threads: number;
  readonly queueLimit: number;
  readonly maxWaitMs: number;
  /** Returns the start of the hashes with the oldest parameters in use. Unknown accounts are verified with them. */
  readonly oldestPrefix: () => string;
  /** A secret kept outside the database that every hash depends on (RFC 9106 secret value K), or null. */
  readonly pepper: string | null;
  /** Parameters of new hashes: for tests, in which the cost of a hash does not matter. */
  readonly parameters?: PasswordParameters | undefined;
  /** Replaces the threads: for tests, in which starting one takes longer than its hashes. */
  readonly pool?: HashingPool | undefined;
}

/** `client` is the client that the work is done for: clients share the threads fairly. */
export interface Passwords {
  /** Returns a PHC string, after the marker of `splitPrehash` if one is given. @throws PasswordsUnavailable */
  hash(password: string, client: QueueClient, marker?: string): Promise<string>;
  /**
   * Without a hash (the account does not exist) it takes as long as with one of the oldest parameters in use. An
   * outdated hash has other parameters than the current ones: the password, if it is the stored one beyond doubt, should
   * be hashed again with the marker.
   * @throws PasswordsUnavailable
   */
  verify(
    password: string,
    hash: string | null,
    client: QueueClient,
  ): Promise<{
    readonly matches: boolean;
    readonly outdated: boolean;
    readonly marker: string;
  }>;
  /** Passwords that are hashed now, and that wait for it. */
  readonly load: { readonly running: number; readonly waiting: number };
  /** Ends the threads and rejects all passwords that are queued or being hashed. */
  close(): Promise<void>;
}

/** The password could not be hashed or verified now; the client may retry later. */
export class PasswordsUnavailable extends Error {
  override name = 'PasswordsUnavailable';
  readonly retryAfterSeconds: number;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.retryAfterSeconds = cause instanceof QueueRejection ? cause.retryAfterSeconds : 1;
  }
}

export function createPasswords(options: PasswordOptions): Passwords {
  const { threads, queueLimit, maxWaitMs, pepper, oldestPrefix, parameters = PARAMETERS } = options;
  const prefix = formatPrefix(parameters);
  const pool = options.pool ?? createHashingPool(options);
  const queue = new FairQueue({ slots: threads, places: queueLimit, maxWaitMs, clock: monotonic });
  const run = async (client: QueueClient, task: PasswordTask) => {
    // Rejected by the queue, or because the pool is closing, or a thread has ended or cannot start.
    const outcome = await queue
      .run(client, () => pool.run(task))
      .catch((cause: Error) => {
        throw new PasswordsUnavailable(cause);
      });
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.result;
  };
  return {
    // The NFC form, so that é typed on any keyboard is the same (NIST SP 800-63B-4).
    hash: async (password, client, marker = '') => {
      const [form] = splitPrehash(`${marker}$`).listForms(normalizeNfc(password));
      return `${marker}${await run(client, { kind: 'hash', password: String(form), pepper, parameters })}`;
    },
    verify: async (password, hash, client) => {
      const verified = hash ?? createUnmatchableHash(oldestPrefix());
      const { isOwn, marker } = describeStored(verified);
      const given = isOwn ? normalizeNfc(password) : password;
      const reading = await run(client, { kind: 'verify', password: given, pepper, hash: verified });
      const isCertain = reading !== 'the first 72 bytes' && hash !== null;
      return {
        matches: reading !== false && hash !== null,
        outdated: isCertain && !verified.startsWith(`${marker}${prefix}`),
        marker,
      };
    },
    get load() {
      return queue.load;
    },
    close: pool.close,
  };
}

export type HashingPool = ReturnType<typeof createHashingPool>;

function createHashingPool(options: PasswordOptions) {
  let starting: Promise<Piscina> | null = null;
  let isClosed = false;
  // A pool that fails is given up together with its tasks; the next password starts another one.
  const giveUp = () => {
    starting = null;
  };
  const start = async () => {
    const pool = await startThreads(options);
    pool.on('error', () => {
      giveUp();
      void pool.destroy();
    });
    return pool;
  };
  return {
    async run(task: PasswordTask): Promise<PasswordResult> {
      if (isClosed) throw new Error('Password hashing is closed');
      if (starting === null) {
        starting = start();
        starting.catch(giveUp);
      }
      return (await starting).run(task);
    },
    async close() {
      isClosed = true;
      const pool = await starting?.catch(() => null);
      await pool?.destroy();
    },
  };
}

/** Loads the library only here: neither the start of the service nor a service without logins pays for it. */
async function startThreads({ threads }: PasswordOptions): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: new URL('./password-worker.ts', import.meta.url).href,
    // With 0, queued tasks would wait for the next one when the last thread ends unexpectedly.
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: IDLE_THREAD_MS,
    // At most as many tasks as threads are given to the pool at once; they wait here while a thread starts.
    maxQueue: threads,
    stricterFIFO: true,
    recordTiming: false,
    niceIncrement: NICE_INCREMENT,
  });
}
