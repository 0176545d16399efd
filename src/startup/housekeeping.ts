/** Housekeeping of every node: deletes expired rows, rotates signing keys, and maintains indexes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Tx } from '../database/database.ts';
import { ACTIVITY_DAYS, deleteOldActivity } from '../features/activity/active-users/active-users.ts';
import { deleteOldFailures } from '../features/activity/queries.ts';
import { deleteEndedSessions as deleteEndedConsoleSessions } from '../features/console-sessions/queries.ts';
import { deleteEndedCounts } from '../features/events/counts/queries.ts';
import { deleteNetworksBefore, readChain } from '../features/events/queries.ts';
import { deleteNextRows } from '../features/forms/change-form.ts';
import { deleteExpiredSubmissions } from '../features/forms/submissions/change-submissions.ts';
import { forgetAllAccepted } from '../features/forms/submissions/queries.ts';
import {
  deleteExpiredPending,
  deleteExpiredRequests,
} from '../features/identity-providers/upstream/queries.ts';
import { deleteExpiredLinks } from '../features/mail/links/queries.ts';
import { expireMessages } from '../features/mail/messages/end-message.ts';
import { deleteOldContents, deleteOldMessages } from '../features/mail/messages/queries.ts';
import { deleteOldRecipients } from '../features/mail/recipients/queries.ts';
import { deleteOldCodes } from '../features/oauth/queries.ts';
import { createDeleteOfOldEvents } from '../features/operation/configuration/delay-retention.ts';
import { deleteExpiredChallenges } from '../features/sign-in/challenges/queries.ts';
import { deleteOldNetworks } from '../features/sign-in/queries.ts';
import { deleteEndedSessions } from '../features/sign-in/sessions/queries.ts';
import { deleteExpiredTokens, deleteTokenCounters, deleteTokenNetworks } from '../features/tokens/queries.ts';
import { deleteRemovedKeys } from '../features/tokens/signing-keys/queries.ts';
import { deleteAbandonedUsers } from '../features/users/accounts/erasure/delete-rows.ts';
import { continueErasure } from '../features/users/accounts/erasure/erase-user.ts';
import { listPendingErasures } from '../features/users/accounts/erasure/pending-erasures.ts';
import {
  INDEX_BATCH_SIZE,
  indexOutdatedUsers,
} from '../features/users/records/metadata-index/index-users.ts';
import { sendHead } from '../features/webhooks/deliveries/enqueue-deliveries.ts';
import {
  clearPreviousSecrets,
  createDeleteOfErased,
  deleteAbandonedDeliveries,
  deleteOldDeliveries,
  expireDeliveries,
  trimDeliveries,
} from '../features/webhooks/housekeeping/queries.ts';
import { deleteExpiredClaims } from '../idempotency/queries.ts';
import { type Clock, DAY, HOUR, MINUTE, toDayNumber } from '../lib/time/clock.ts';
import { deleteOldFailedAttempts, deleteWholeLimits } from '../rate-limits/queries.ts';
import type { CurrentSettings } from '../settings/run-time-settings.ts';

/** Differs between nodes by a tenth, so that those that start together do not keep sweeping together. */
const intervalMs = () => HOUR * (0.9 + 0.2 * Math.random());
/** Soon, because a node may be restarted more often than once an hour. */
const firstDelayMs = () => MINUTE * (0.5 + 0.5 * Math.random());
/** Rows per transaction: few enough that no request waits long for the lock. */
const BATCH_SIZE = 500;
/** Each event is in indexes of many pages: among millions of events, each deletion writes several pages. */
const OLD_EVENTS_BATCH_SIZE = 50;
const EVENT_ADDRESSES_BATCH_SIZE = 100;
const FAILED_ATTEMPTS_DAYS = 30;
const KNOWN_NETWORKS_DAYS = 180;
const EVENT_ADDRESSES_DAYS = 30;
const MESSAGES_DAYS = 30;

/** Deletes at most `limit` rows that have expired at `now`, or updates as many, and returns their number. */
type RunBatch = (tx: Tx, now: number, limit: number) => Promise<number>;

/** The name is for the log. */
type HousekeepingStep = readonly [name: string, runBatch: RunBatch, batchSize?: number];

/** Ages at which rows are deleted. */
export type RetentionDays = Pick<CurrentSettings, 'unclaimedUsersDays' | 'eventsDays'>;

/** Deletes the next rows of one user whose erasure was interrupted. */
async function continueFirstErasure(tx: Tx, now: number, limit: number): Promise<number> {
  const [id] = await listPendingErasures(tx);
  if (id === undefined) return 0;
  await continueErasure(tx, id, now);
  return limit;
}

/** Returns the step for rows of which `work` expects the time before which they have expired. */
const olderThan =
  (days: number, work: RunBatch): RunBatch =>
  (tx, now, limit) =>
    work(tx, now - days * DAY, limit);

const STEPS: readonly HousekeepingStep[] = [
  // First, because lists that filter by metadata are slower until it is complete.
  ['index of metadata', (tx, _now, limit) => indexOutdatedUsers(tx, limit), INDEX_BATCH_SIZE],
  ['expired tokens', deleteExpiredTokens],
  ['networks of tokens', olderThan(EVENT_ADDRESSES_DAYS, deleteTokenNetworks)],
  ['counters of expired tokens', deleteTokenCounters],
  ['stored responses', deleteExpiredClaims],
  ['rate limits', deleteWholeLimits],
  ['failed attempts', olderThan(FAILED_ATTEMPTS_DAYS, deleteOldFailedAttempts)],
  ['known networks', olderThan(KNOWN_NETWORKS_DAYS, deleteOldNetworks)],
  ['expired messages', expireMessages],
  ['messages that have ended', olderThan(MESSAGES_DAYS, deleteOldMessages)],
  ['texts of messages', olderThan(1, deleteOldContents)],
  ['recipients of messages', olderThan(1, deleteOldRecipients)],
  ['expired links', deleteExpiredLinks],
  ['authorization codes', deleteOldCodes],
  ['console sessions', deleteEndedConsoleSessions],
  ['sign-in sessions', deleteEndedSessions],
  ['expired sign-ins', deleteExpiredChallenges],
  ['sign-ins with identity providers', deleteExpiredRequests],
  ['identities that were not linked', deleteExpiredPending],
  ['addresses of events', olderThan(EVENT_ADDRESSES_DAYS, deleteNetworksBefore), EVENT_ADDRESSES_BATCH_SIZE],
  ['counts of events', deleteEndedCounts],
  ['expired deliveries', expireDeliveries],
  ['deliveries', deleteOldDeliveries],
  ['deliveries beyond the maximum', trimDeliveries],
  ['deliveries of deleted webhooks', deleteAbandonedDeliveries],
  ['replaced secrets of webhooks', clearPreviousSecrets],
  [
    'user activity',
    olderThan(ACTIVITY_DAYS, (tx, before, limit) => deleteOldActivity(tx, toDayNumber(before), limit)),
  ],
  [
    'failed logins',
    olderThan(ACTIVITY_DAYS, (tx, before, limit) =>
      deleteOldFailures(tx, Math.floor(before / MINUTE), limit),
    ),
  ],
  ['signing keys', deleteRemovedKeys],
  ['deleted forms', deleteNextRows],
  ['submissions that are kept for a time', deleteExpiredSubmissions],
  ['counts of submissions', (tx) => forgetAllAccepted(tx)],
  ['interrupted erasures', continueFirstErasure],
];

const createSteps = (
  { unclaimedUsersDays, eventsDays }: RetentionDays,
  operatorEmail: string | null,
): readonly HousekeepingStep[] => [
  ...STEPS,
  ['deliveries about erased users', createDeleteOfErased()],
  [
    'abandoned users',
    (tx, now, limit) => deleteAbandonedUsers(tx, { before: now - unclaimedUsersDays * DAY, now }, limit),
  ],
  ['events', createDeleteOfOldEvents(eventsDays, operatorEmail), OLD_EVENTS_BATCH_SIZE],
];

/** Calls `work` once after some milliseconds, unless the returned function is called before. */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

export const scheduleByTimer: Schedule = (work, milliseconds) => {
  const timer = setTimeout(work, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** Starts to run about every hour, for the first time within a minute. */
export function startHousekeeping(
  database: Database,
  {
    clock,
    logger,
    settings,
    operatorEmail = null,
    rotateKeys = async () => {},
    schedule = scheduleByTimer,
  }: {
    readonly settings: { readonly current: RetentionDays };
    /** Recipient of the message that events will be kept for a shorter time. */
    readonly operatorEmail?: string | null;
    readonly clock: Clock;
    readonly logger: Logger;
    /** Creates the next signing key if it is time; undefined if nothing is signed. */
    readonly rotateKeys?: (() => Promise<void>) | undefined;
    /** Replaces the timers of the process in tests. */
    readonly schedule?: Schedule | undefined;
  },
) {
  let isClosed = false;
  const runAll = async ([, runBatch, batchSize = BATCH_SIZE]: HousekeepingStep, now: number) => {
    const work = (tx: Tx) => runBatch(tx, now, batchSize);
    // Yields to requests between batches: transactions on SQLite are synchronous and would block the event loop.
    while (!isClosed && (await database.transaction(work, { isLong: true })) === batchSize) await nextTurn();
  };
  const purgeTexts = onceADay(() => database.textSearch.purge(() => isClosed));
  const attempt = (step: string, work: () => Promise<void>) =>
    work().catch((error) => {
      logger.warn({ err: error, step }, 'housekeeping failed and tries again in an hour');
    });
  const run = async () => {
    const now = clock();
    for (const step of createSteps(settings.current, operatorEmail))
      await attempt(step[0], () => runAll(step, now));
    if (isClosed) return;
    await attempt('last event', () => publishHead(database, logger, now));
    await attempt('next signing key', rotateKeys);
    await attempt('index of the search', () => purgeTexts(now));
  };
  let running: Promise<void> = Promise.resolve();
  const pause = intervalMs();
  const runAndRepeat = () => {
    cancel = schedule(runAndRepeat, pause);
    running = running.then(run);
  };
  let cancel = schedule(runAndRepeat, firstDelayMs());
  const close = () => {
    cancel();
    isClosed = true;
    return running;
  };
  /** `run` deletes all rows that have expired by now, also if a step fails; `close` stops after the current batch. */
  return { run, close };
}

/** Logs and sends the last event: a chain that was computed anew or cut off differs from what was noted elsewhere. */
async function publishHead(database: Database, logger: Logger, now: number): Promise<void> {
  const { number, digest } = await readChain(database);
  logger.info({ event_number: number, event_digest: digest }, 'the last event in the record of events');
  await sendHead(database, { number, digest }, now);
}

/** Returns the function that calls `work` unless it has succeeded on this UTC day. */
function onceADay(work: () => Promise<void>): (now: number) => Promise<void> {
  let doneOn: number | null = null;
  return async (now) => {
    if (doneOn === toDayNumber(now)) return;
    await work();
    doneOn = toDayNumber(now);
  };
}
