/**
 * Records active users, uses of tokens and credentials, and failed logins without delaying requests: they are
 * collected in memory and written together about once a second. A crash loses at most that second of statistics.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Database, DatabaseUnavailable, type Tx } from '../../database/database.ts';
import { inBatches } from '../../database/prepare.ts';
import { createDelayedWriter } from '../../lib/queues/shared-work.ts';
import { type Clock, DAY, MINUTE, toDayNumber } from '../../lib/time.ts';
import { recordActiveUsers } from './active-users/active-users.ts';
import { addFailedLogins, type LastUse, touchCredentials, updateLastUseOfTokens } from './queries.ts';

export type ActivityRecorder = ReturnType<typeof createActivityRecorder>;

/** Creates a recorder that writes by itself about a second after the first new activity. */
export function createActivityRecorder(database: Database, clock: Clock, logger: Logger) {
  let pending = noActivity();
  const writePending = async () => {
    const batch = pending;
    pending = noActivity();
    await writeActivity(database, batch).catch((error) => {
      logger.warn({ err: error }, 'activity could not be written and is kept for the next attempt');
      pending = mergeActivity(batch, pending);
      writer.schedule();
    });
  };
  const writer = createDelayedWriter(writePending);
  return {
    /** Records the successful use of a token, at most once a minute. */
    tokenUsed(use: TokenUse) {
      if (addTokenUse(pending, use, clock())) writer.schedule();
    },
    /** Records the successful use of an administrator's credential, at most once a minute. */
    credentialUsed(credentialId: string, lastUsedAt: number | null) {
      if (addCredentialUse(pending, { credentialId, lastUsedAt }, clock())) writer.schedule();
    },
    userActive(userId: string) {
      addActiveUser(pending, userId, clock());
      writer.schedule();
    },
    loginFailed() {
      addFailedLogin(pending, clock());
      writer.schedule();
    },
    /** Writes the collected activity. Logs a warning when a part cannot be written, and keeps it. */
    flush: writer.flush,
    close: writer.flush,
  };
}

/** Maximum number of tokens and of users while the database is unavailable: no more are recorded. */
const MAX_PENDING = 100_000;

export interface PendingActivity {
  /** Token hash → its last use. */
  readonly tokens: Map<string, LastUse>;
  /** Id of a credential → time of its use. */
  readonly credentials: Map<string, number>;
  /** `day:userId` → the day since the epoch. */
  readonly activeUsers: Map<string, number>;
  /** Minute since the epoch → failed logins. */
  readonly failures: Map<number, number>;
}

interface TokenUse {
  readonly tokenHash: string;
  readonly userId: string;
  /** The last use that the database knows. */
  readonly lastUsedAt: number | null;
  /** Returns the network of the client. Called only if the use is recorded. */
  readonly getNetwork?: () => string | null;
}

export function noActivity(): PendingActivity {
  return { tokens: new Map(), credentials: new Map(), activeUsers: new Map(), failures: new Map() };
}

/** Adds the use of a token, unless there was one within the last minute. Returns whether it was added. */
export function addTokenUse(pending: PendingActivity, use: TokenUse, now: number): boolean {
  const { tokens } = pending;
  if (isRecent(now, use.lastUsedAt, tokens.get(use.tokenHash)?.at) || tokens.size >= MAX_PENDING)
    return false;
  tokens.set(use.tokenHash, { at: now, network: use.getNetwork?.() ?? null });
  addActiveUser(pending, use.userId, now);
  return true;
}

/**
 * Adds the use of a credential, unless there was one within the last minute. Returns whether it was added.
 * @param use with the last one that the database knows
 */
export function addCredentialUse(
  { credentials }: PendingActivity,
  { credentialId, lastUsedAt }: { readonly credentialId: string; readonly lastUsedAt: number | null },
  now: number,
): boolean {
  if (isRecent(now, lastUsedAt, credentials.get(credentialId)) || credentials.size >= MAX_PENDING)
    return false;
  credentials.set(credentialId, now);
  return true;
}

function isRecent(now: number, ...uses: readonly (number | null | undefined)[]): boolean {
  return uses.some((usedAt) => now - (usedAt ?? 0) < MINUTE);
}

export function addActiveUser({ activeUsers }: PendingActivity, userId: string, now: number): void {
  const day = toDayNumber(now);
  if (activeUsers.size < MAX_PENDING) activeUsers.set(`${day}:${userId}`, day);
}

export function addFailedLogin({ failures }: PendingActivity, now: number): void {
  const minute = Math.floor(now / MINUTE);
  failures.set(minute, (failures.get(minute) ?? 0) + 1);
}

/** Returns the activity of both, for a batch that could not be written and what was added since. */
export function mergeActivity(older: PendingActivity, newer: PendingActivity): PendingActivity {
  const failures = new Map(older.failures);
  for (const [minute, count] of newer.failures) failures.set(minute, (failures.get(minute) ?? 0) + count);
  return {
    tokens: new Map([...older.tokens, ...newer.tokens].slice(0, MAX_PENDING)),
    credentials: new Map([...older.credentials, ...newer.credentials].slice(0, MAX_PENDING)),
    activeUsers: new Map([...older.activeUsers, ...newer.activeUsers].slice(0, MAX_PENDING)),
    failures,
  };
}

interface Batch {
  readonly pending: Map<unknown, unknown>;
  readonly entries: readonly [unknown, unknown][];
  readonly write: (tx: Tx) => Promise<unknown>;
}

/**
 * Writes the activity, and removes each part of it that is written: after a failure, `pending` contains the rest.
 * @throws the first error of a batch, after the other batches; DatabaseUnavailable at once
 */
export async function writeActivity(database: Database, pending: PendingActivity): Promise<void> {
  const errors: unknown[] = [];
  for (const { pending: all, entries, write } of toBatches(pending)) {
    try {
      await database.transaction(write, { isLong: true });
      for (const [key] of entries) all.delete(key);
    } catch (error) {
      // Behind the rest, so that a batch that fails again does not hinder others.
      for (const [key, value] of entries) {
        all.delete(key);
        all.set(key, value);
      }
      if (error instanceof DatabaseUnavailable) throw error;
      errors.push(error);
    }
    // Transactions on SQLite are synchronous and would block the event loop one after the other.
    await nextTurn();
  }
  if (errors.length > 0) throw errors[0];
}

function toBatches({ failures, tokens, credentials, activeUsers }: PendingActivity): Batch[] {
  return [
    ...splitIntoBatches(failures, failures, addFailedLogins),
    ...splitIntoBatches(tokens, tokens, updateLastUseOfTokens),
    ...splitIntoBatches(credentials, credentials, touchCredentials),
    ...[...Map.groupBy(activeUsers, ([, day]) => day)].flatMap(([day, entries]) =>
      splitIntoBatches(activeUsers, entries, (tx, rows) =>
        recordActiveUsers(tx, day * DAY, rows.map(parseUserId)),
      ),
    ),
  ];
}

/** Each batch is sorted, so that two nodes that write the same rows cannot deadlock. */
function splitIntoBatches<Key extends string | number, Entry>(
  pending: Map<Key, Entry>,
  entries: Iterable<[Key, Entry]>,
  write: (tx: Tx, entries: readonly [Key, Entry][]) => Promise<unknown>,
): Batch[] {
  return inBatches([...entries]).map((batch) => {
    const sorted = batch.sort(([a], [b]) => (a < b ? -1 : 1));
    return { pending: pending as Map<unknown, unknown>, entries: sorted, write: (tx) => write(tx, sorted) };
  });
}

const parseUserId = ([key]: [string, number]): string => key.slice(key.indexOf(':') + 1);
