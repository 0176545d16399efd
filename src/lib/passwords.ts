/**
 * Password hashing with argon2id in threads of low priority. The queue is bounded, because each hash needs
 * 19 MiB and an unbounded queue would let clients exhaust the memory.
 */
import type { Piscina } from 'piscina';
import { PREFIX } from './password-parameters.ts';
import type { PasswordResult, PasswordTask } from './password-worker.ts';

/** A hash with the current parameters that no password matches: verifying it costs as much as any other. */
const NO_PASSWORD = `${PREFIX}bm9ib2R5IGhhcyB0aGlzIQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

/** Threads beyond the first end after this time without work. */
const IDLE_THREAD_MS = 60_000;

/** On other systems than Linux the nice value belongs to the process, and would slow the event loop down. */
const NICE_INCREMENT = process.platform === 'linux' ? 19 : 0;

export interface PasswordOptions {
  /** Maximum number of concurrent hashes. */
  readonly threads: number;
  /** Maximum number of passwords that wait for a thread. */
  readonly queueLimit: number;
  /** A secret kept outside the database that every hash depends on (RFC 9106 secret value K), or null. */
  readonly pepper: string | null;
}

export interface Verification {
  readonly matches: boolean;
  /** The hash has other parameters than the current ones: the password should be hashed again. */
  readonly outdated: boolean;
}

export interface Passwords {
  /** Returns a PHC string. @throws PasswordsUnavailable */
  hash(password: string): Promise<string>;
  /** Without a hash (the account does not exist) it takes as long as with one. @throws PasswordsUnavailable */
  verify(password: string, hash: string | null): Promise<Verification>;
  /** Ends the threads and rejects all passwords that are queued or being hashed. */
  close(): Promise<void>;
}

/** The password could not be hashed or verified now; the client may retry later. */
export class PasswordsUnavailable extends Error {
  override name = 'PasswordsUnavailable';
}

/** Creates password hashing. The pool of threads starts with the first password. */
export function createPasswords(options: PasswordOptions): Passwords {
  const { pepper } = options;
  const pool = createHashingPool(options);
  return {
    hash: async (password) => String(await pool.run({ kind: 'hash', password: normalize(password), pepper })),
    verify: async (password, hash) => {
      const task = {
        kind: 'verify',
        password: normalize(password),
        pepper,
        hash: hash ?? NO_PASSWORD,
      } as const;
      const matches = (await pool.run(task)) === true && hash !== null;
      return { matches, outdated: hash !== null && !hash.startsWith(PREFIX) };
    },
    close: pool.close,
  };
}

/** Returns the NFC form, so that é typed on any keyboard is the same (NIST SP 800-63B-4). Trims nothing. */
function normalize(password: string): string {
  return password.normalize('NFC');
}

interface HashingPool {
  run(task: PasswordTask): Promise<string | boolean>;
  close(): Promise<void>;
}

function createHashingPool(options: PasswordOptions): HashingPool {
  let starting: Promise<Piscina> | null = null;
  let isClosed = false;
  // A pool that fails is given up together with its queue; the next password starts another one.
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
  const runInPool = async (task: PasswordTask): Promise<PasswordResult> => {
    if (isClosed) throw new Error('Password hashing is closed');
    if (starting === null) {
      starting = start();
      starting.catch(giveUp);
    }
    return (await starting).run(task);
  };
  return {
    async run(task) {
      // Rejected when the queue is full, the pool is closing, or a thread has ended or cannot start.
      const outcome = await runInPool(task).catch((cause: Error) => {
        throw new PasswordsUnavailable(cause.message, { cause });
      });
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome.result;
    },
    async close() {
      isClosed = true;
      const pool = await starting?.catch(() => null);
      await pool?.destroy();
    },
  };
}

/** Loads the library only here: neither the start of the service nor a service without logins pays for it. */
async function startThreads({ threads, queueLimit }: PasswordOptions): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: new URL('./password-worker.ts', import.meta.url).href,
    // With 0, queued tasks would wait for the next one when the last thread ends unexpectedly.
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: IDLE_THREAD_MS,
    maxQueue: queueLimit,
    stricterFIFO: true,
    recordTiming: false,
    niceIncrement: NICE_INCREMENT,
  });
}
