/**
 * Records active users, uses of tokens and credentials, and failed logins without delaying requests: they are
 * collected in memory and written together about once a second. A crash loses at most that second of statistics.
 */
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { createDelayedWriter } from '../../lib/queues/shared-work.ts';
import type { Clock } from '../../lib/time.ts';
import {
  addActiveUser,
  addCredentialUse,
  addFailedLogin,
  addTokenUse,
  mergeActivity,
  noActivity,
  type TokenUse,
  writeActivity,
} from './write-activity.ts';

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
