/** Limits whose state is in the database. Each call is one atomic statement on its clock. */

/** The cost of one request, in milliseconds of a quota. */
interface RequestCost {
  readonly intervalMs: number;
  readonly windowMs: number;
  /** Debt is rounded to this fraction of a millisecond, so that many additions do not drift. */
  readonly partsPerMs: number;
}

/** When password attempts have to wait. All times in milliseconds. */
export interface FailedAttemptRule {
  /** Number of failures from which on each attempt has to wait. */
  readonly limit: number;
  /** Time without an attempt after which failures below the limit are forgotten. */
  readonly forgetAfterMs: number;
  /** The same from the limit on, counted from the end of the wait. */
  readonly forgetPenaltyAfterMs: number;
  readonly firstWaitMs: number;
  /** Multiplies the wait at every failure beyond the limit. */
  readonly growth: number;
  readonly maxWaitMs: number;
}

interface AttemptState {
  readonly admitted: boolean;
  /** Epoch milliseconds before which no attempt is admitted, like `now` on the database's clock. */
  readonly waitUntil: number;
  /** The end of the wait before this attempt; its time, if it is the first failure that counts. */
  readonly waitBefore: number;
  readonly now: number;
}

/** All methods: @throws DatabaseUnavailable */
export interface SharedLimits {
  /** Takes one request from the quota if it has one, and returns the state afterwards. */
  take(key: string, cost: RequestCost): Promise<{ tat: number; now: number; allowed: boolean }>;
  /** Returns the state without taking anything; a TAT of null for an unknown key. */
  peek(key: string): Promise<{ readonly tat: number | null; readonly now: number }>;
  /** Returns the longest wait of keys that begin with `prefix`, in milliseconds; 0 if all have fewer than `limit` failures. */
  findWait(prefix: string, limit: number): Promise<number>;
  /** Counts an attempt as failed if it is admitted, and returns the state afterwards. */
  attempt(key: string, rule: FailedAttemptRule): Promise<AttemptState>;
}
