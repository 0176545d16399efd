/** Housekeeping of every node: deletes expired rows, rotates signing keys, and maintains indexes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Tx } from '../database/database.ts';
import { type HousekeepingStep, olderThan } from '../database/housekeeping-step.ts';
import { ACTIVITY_DAYS, deleteOldActivity } from '../features/activity/active-users/active-users.ts';
import { deleteOldFailures } from '../features/activity/queries.ts';
import { deleteEndedSessions as deleteEndedConsoleSessions } from '../features/console-sessions/queries.ts';
import { deleteEndedCounts } from '../features/events/numbering/queries.ts';
import { deleteNetworksBefore, readChain } from '../features/events/queries.ts';
import { deleteNextRows } from '../features/forms/change-form.ts';
import { deleteExpiredSubmissions } from '../features/forms/submissions/change-submissions.ts';
import { forgetAllAccepted } from '../features/forms/submissions/queries.ts';
import { deleteNextMembers } from '../features/groups/change-group.ts';
import {
  deleteExpiredPending,
  deleteExpiredRequests,
} from '../features/identity-providers/upstream/queries.ts';
import { deleteExpiredLinks } from '../features/mail/links/queries.ts';
import { expireMessages } from '../features/mail/messages/end-message.ts';
import { deleteOldContents, deleteOldMessages } from '../features/mail/messages/queries.ts';
import { deleteOldRecipients } from '../features/mail/queries.ts';
import { deleteOldDevices } from '../features/oauth/device/queries.ts';
import { deleteOldCodes } from '../features/oauth/queries.ts';
import { createDeleteOfOldEvents } from '../features/operation/configuration/delay-retention.ts';
import { listPeopleSteps } from '../features/people/housekeeping.ts';
import { indexOldUsers } from '../features/users/records/search-queries.ts';
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
import { type Clock, HOUR, MINUTE, toDayNumber } from '../lib/time.ts';
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
/** Each has many rows in another table. */
const INDEXED_USERS_BATCH_SIZE = 100;
const FAILED_ATTEMPTS_DAYS = 30;
const EVENT_ADDRESSES_DAYS = 30;
const MESSAGES_DAYS = 30;

type RetentionDays = Pick<CurrentSettings, 'unclaimedUsersDays' | 'eventsDays'>;

const STEPS: readonly HousekeepingStep[] = [
  // First, because lists that filter by metadata are slower until it is complete.
  ['index of metadata', (tx, _now, limit) => indexOldUsers(tx, limit), INDEXED_USERS_BATCH_SIZE],
  ['stored responses', deleteExpiredClaims],
  ['rate limits', deleteWholeLimits],
  ['failed attempts', olderThan(FAILED_ATTEMPTS_DAYS, deleteOldFailedAttempts)],
  ['expired messages', expireMessages],
  ['messages that have ended', olderThan(MESSAGES_DAYS, deleteOldMessages)],
  ['texts of messages', olderThan(1, deleteOldContents)],
  ['recipients of messages', olderThan(1, deleteOldRecipients)],
  ['expired links', deleteExpiredLinks],
  ['authorization codes', deleteOldCodes],
  ['devices that were not confirmed', deleteOldDevices],
  ['console sessions', deleteEndedConsoleSessions],
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
  ['deleted forms', deleteNextRows],
  ['members of deleted groups', deleteNextMembers],
  ['submissions that are kept for a time', deleteExpiredSubmissions],
  ['counts of submissions', (tx) => forgetAllAccepted(tx)],
];

const createSteps = (
  { unclaimedUsersDays, eventsDays }: RetentionDays,
  operatorEmail: string | null,
): readonly HousekeepingStep[] => [
  ...STEPS,
  ...listPeopleSteps(unclaimedUsersDays),
  ['deliveries about erased users', createDeleteOfErased()],
  ['events', createDeleteOfOldEvents(eventsDays, operatorEmail), OLD_EVENTS_BATCH_SIZE],
];

/** Calls `work` once after some milliseconds, unless the returned function is called before. */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

const scheduleByTimer: Schedule = (work, milliseconds) => {
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
