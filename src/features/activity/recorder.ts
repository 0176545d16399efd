/**
 * Notes who was active and which logins failed, beside the requests and never in their way: collected in
 * memory and written together about once a second. A crash loses at most that second of statistics.
 */
import type { Logger } from 'pino';
import type { Database, Tx } from '../../database/database.ts';
import { type Clock, dayNumber, MINUTE } from '../../lib/clock.ts';
import { addFailedLogins, recordActiveUser, touchToken } from './queries.ts';

export interface ActivityRecorder {
  /** A token was used with success. `lastUsedAt` is what the database says; written at most once a minute. */
  tokenUsed(tokenHash: string, userId: string, lastUsedAt: number | null): void;
  userActive(userId: string): void;
  loginFailed(): void;
  /** Writes what is collected; gives up quietly (and keeps it) while the database is unavailable. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const WRITE_EVERY_MS = 1_000;
/** While the database is away, so many tokens and so many users are kept; who comes later is not noted. */
const MAX_PENDING = 100_000;

/** What waits to be written: token hash → time, `day:user`, minute → failures. */
interface Pending {
  readonly tokens: Map<string, number>;
  readonly activeUsers: Set<string>;
  readonly failures: Map<number, number>;
}

const nothing = (): Pending => ({ tokens: new Map(), activeUsers: new Set(), failures: new Map() });

/** Writes by itself about a second after something was noted; `close` writes the rest. */
export function createActivityRecorder(database: Database, clock: Clock, logger: Logger): ActivityRecorder {
  let pending = nothing();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const schedule = () => {
    timer ??= setTimeout(flush, WRITE_EVERY_MS).unref();
  };
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(async () => {
      const batch = pending;
      pending = nothing();
      await write(database, batch).catch((error) => {
        logger.warn({ err: error }, 'activity could not be written, it is kept for later');
        pending = merged(batch, pending);
        schedule();
      });
    });
    return writing;
  };
  const userActive = (userId: string) => {
    if (pending.activeUsers.size < MAX_PENDING) pending.activeUsers.add(`${dayNumber(clock())}:${userId}`);
    schedule();
  };
  return {
    tokenUsed(tokenHash, userId, lastUsedAt) {
      const now = clock();
      const isRecent = (usedAt: number | null | undefined) => now - (usedAt ?? 0) < MINUTE;
      if (isRecent(lastUsedAt) || isRecent(pending.tokens.get(tokenHash))) return;
      if (pending.tokens.size >= MAX_PENDING) return;
      pending.tokens.set(tokenHash, now);
      userActive(userId);
    },
    userActive,
    loginFailed() {
      const minute = Math.floor(clock() / MINUTE);
      pending.failures.set(minute, (pending.failures.get(minute) ?? 0) + 1);
      schedule();
    },
    flush,
    close: flush,
  };
}

async function write(database: Database, { tokens, activeUsers, failures }: Pending): Promise<void> {
  if (tokens.size + activeUsers.size + failures.size === 0) return;
  // Sorted, so that two nodes with the same rows in hand cannot lock each other out.
  await database.transaction(async (tx: Tx) => {
    for (const hash of [...tokens.keys()].sort()) await touchToken(tx, hash, tokens.get(hash)!);
    for (const entry of [...activeUsers].sort()) {
      const [day, userId] = entry.split(':') as [string, string];
      await recordActiveUser(tx, Number(day), userId);
    }
    for (const [minute, count] of failures) await addFailedLogins(tx, minute, count);
  });
}

function merged(older: Pending, newer: Pending): Pending {
  const failures = new Map(older.failures);
  for (const [minute, count] of newer.failures) failures.set(minute, (failures.get(minute) ?? 0) + count);
  return {
    tokens: new Map([...older.tokens, ...newer.tokens].slice(0, MAX_PENDING)),
    activeUsers: new Set([...older.activeUsers, ...newer.activeUsers].slice(0, MAX_PENDING)),
    failures,
  };
}
