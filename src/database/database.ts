/** The interface to the database. Other code asks for capabilities, never for an engine. */
import { hash } from 'node:crypto';
import type { Clock } from '../lib/time.ts';
import type { SharedLimits } from './shared-limits.ts';

export type Value = string | number | null | Uint8Array;

/** A SQL statement with `$1…$n` placeholders, prepared once per connection. `Row` is the type of its rows. */
export interface Statement<Row> {
  /** The name of the prepared statement: derived from the text, so the same on every node. */
  readonly name: string;
  readonly text: string;
  readonly row?: Row;
}

const created = new Map<string, Statement<unknown>>();

/** All statements that the loaded modules have created, by name: for the test of their query plans. */
export const statements: ReadonlyMap<string, Statement<unknown>> = created;

/** Creates a statement. To be called at module level, or once for each text, so that their number is fixed. */
export function sql<Row = never>(text: string): Statement<Row> {
  const statement: Statement<Row> = Object.freeze({
    name: `s${hash('sha1', text, 'hex').slice(0, 20)}`,
    text,
  });
  created.set(statement.name, statement);
  return statement;
}

interface Reads {
  get<Row>(statement: Statement<Row>, ...values: Value[]): Promise<Row | undefined>;
  all<Row>(statement: Statement<Row>, ...values: Value[]): Promise<Row[]>;
}

/**
 * An open transaction. Statements run in the order of the calls. Those that do not need each other's result can be
 * awaited together, and are then sent together; all of them have to be called before the transaction ends. On SQLite it
 * holds the only write lock of the file, so nothing slow may be awaited inside it.
 */
export interface Tx extends Reads {
  readonly kind: 'transaction';
  /** Returns the number of rows changed. @throws UniqueViolation */
  run(statement: Statement<unknown>, ...values: Value[]): Promise<number>;
  /** One of the `slots` rows of a figure that concurrent transactions change: those with another one do not wait. */
  readonly slot: number;
  readonly slots: number;
  /** Changes a counter (counters.ts), just before the commit, so that its rows are locked briefly and last. */
  count(name: string, period: number, change: number): void;
  /** Returns the change of a counter with one period that earlier transactions of the same commit have not written yet. */
  getChange(name: string): number;
  /** Stores the text by which a user is found, or replaces it, just before the commit. */
  setText(userId: string, content: string): void;
}

export interface Dialect {
  readonly engine: Engine;
  readonly text: string;
  /** Text compared and ordered by its bytes on every engine: ids, hashes, keys. */
  readonly key: string;
  readonly integer: string;
  readonly float: string;
  readonly bytes: string;
  /** Added after the closing parenthesis of `create table`. */
  readonly tableOptions: string;
}

export const ENGINES = ['sqlite', 'postgresql'] as const;

export type Engine = (typeof ENGINES)[number];

/** Search of `user_texts` by trigrams, with an index that the engine maintains. */
export interface TextSearch {
  /** Returns users whose text has all of the trigrams in a JSON array (`$1`), at most `$2` of them. */
  readonly find: Statement<{ readonly id: string }>;
  /** Removes deleted and changed texts from the index. Ends early when `isStopped` returns true. */
  purge(isStopped: () => boolean): Promise<void>;
}

interface PoolState {
  readonly open: number;
  readonly idle: number;
  /** Requests for a connection that wait. */
  readonly waiting: number;
}

export interface TransactionOptions {
  /** Whether it takes more than some milliseconds: others do not wait for it with their commit. */
  readonly isLong?: boolean;
}

export interface Database extends Reads {
  readonly kind: 'database';
  /** Code outside this folder only shows it, and decides by the capabilities. */
  readonly engine: Engine;
  /** Whether several nodes may use this database at once. */
  readonly isShared: boolean;
  /** Limits that all nodes count together; null when one process has the database to itself. */
  readonly sharedLimits: SharedLimits | null;
  /** Reads how many connections the pool has and lacks; null without a pool. */
  readonly readPool: (() => PoolState) | null;
  /** Reads a number that each commit of any process changes; null when that is costly. @throws DatabaseUnavailable */
  readonly readVersion: (() => number) | null;
  /** A file, or host and name of the database: for messages. Never contains a credential. */
  readonly location: string;
  readonly dialect: Dialect;
  readonly textSearch: TextSearch;
  /**
   * Runs `work` in one transaction and returns its result after the commit. `work` may run again after a
   * serialisation failure, so it must not change anything outside the transaction.
   * @throws DatabaseUnavailable, UniqueViolation, and whatever `work` throws (rolled back)
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Like `transaction`, but only one at a time over all nodes: for migrations. */
  exclusively<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work`, which only reads, however long it takes: all its reads see the database at one moment. */
  snapshot<T>(work: (reader: Tx) => Promise<T>): Promise<T>;
  /** Checks that requests can be served. @throws DatabaseUnavailable */
  ping(): Promise<void>;
  hasTable(name: string): Promise<boolean>;
  /**
   * Starts the clock of this database, the same on all nodes, until `close`. `onSkew` is called when the clock
   * of this machine begins to differ by more than five seconds. @throws DatabaseUnavailable
   */
  startClock(onSkew: (skewMs: number) => void): Promise<Clock>;
  close(): Promise<void>;
}

/** What most use cases need. */
export interface DatabaseDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export type Reader = Database | Tx;

/** The database cannot process the request now; the same request may succeed later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'DatabaseUnavailable';
  }
}

/** For writes that may be lost while the database cannot be written. */
export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error;
}

/** The role of the connection lacks a right. The message is that of the database, on one line. */
export class PermissionDenied extends Error {
  constructor(cause: Error) {
    super(`The database reports: ${cause.message}`, { cause });
    this.name = 'PermissionDenied';
  }
}

/** A unique index rejected the row. The transaction cannot go on: catch this outside. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super('A unique index rejected the row', { cause });
    this.name = 'UniqueViolation';
  }
}
