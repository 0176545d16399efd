/**
 * Records rejected requests without delaying them: they are counted in memory and written together about once a second,
 * at most one event of each cause. A crash loses at most that second.
 */
import type { Logger } from 'pino';
import { type ActionContext, type Actor, runInContext, toActor } from '../../../callers/action-context.ts';
import type { Caller } from '../../../callers/callers.ts';
import type { Database, Tx } from '../../../database/database.ts';
import { getWidestNetwork, toStoredAddress } from '../../../lib/network.ts';
import { createDelayedWriter } from '../../../lib/queues/delayed-writer.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { formatUserSubject, type NewEvent, recordEvent } from '../../events/record-event.ts';

/** Causes of one second that are told apart. */
const MAX_CAUSES = 1_000;
/** Few enough for a transaction of some milliseconds. */
const BATCH_SIZE = 50;

const ANONYMOUS: Actor = { type: 'anonymous', id: null, name: null };

interface Rejection {
  readonly type: 'login.failed' | 'credential.rejected' | 'access.denied';
  readonly subject?: string;
  readonly reason: string | null;
  readonly actor: Actor;
  readonly clientIp: string;
}

interface PendingRejection {
  readonly context: ActionContext;
  readonly event: Omit<NewEvent, 'now'>;
  readonly firstAt: number;
  count: number;
}

export interface RejectionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: CurrentSettingsSource;
}

export type RejectionRecorder = ReturnType<typeof createRejectionRecorder>;

/** Creates a recorder that writes by itself about a second after the first rejection. */
export function createRejectionRecorder(deps: RejectionDeps) {
  const { clock, settings } = deps;
  const { pending, add, flush } = createPending(deps);
  const count = (rejection: Rejection) => {
    const { type, subject, reason, clientIp } = rejection;
    const key = `${type} ${subject} ${reason} ${getWidestNetwork(clientIp)}`;
    const now = clock();
    if (pending.has(key) || pending.size < MAX_CAUSES) add(key, toPending(rejection, { settings, now }));
    // Of further ones only the number.
    else add(type, toPending({ type, reason, actor: ANONYMOUS, clientIp: '' }, { settings, now }));
  };
  return {
    loginLimited: (clientIp: string) =>
      count({ type: 'login.failed', reason: 'limited', actor: ANONYMOUS, clientIp }),
    credentialRejected: (clientIp: string) =>
      count({ type: 'credential.rejected', reason: null, actor: ANONYMOUS, clientIp }),
    accessDenied: ({ caller, scopes, clientIp }: DeniedAccess) =>
      count({ type: 'access.denied', reason: scopes.join(' '), ...toSubject(caller), clientIp }),
    flush,
    close: flush,
  };
}

/** Creates what is counted by cause and not written yet. */
function createPending({ database, clock, logger }: RejectionDeps) {
  const pending = new Map<string, PendingRejection>();
  const add = (key: string, rejection: PendingRejection) => {
    const known = pending.get(key);
    if (known === undefined) pending.set(key, rejection);
    else known.count += rejection.count;
    writer.schedule();
  };
  const writer = createDelayedWriter(async () => {
    // In one order on all nodes, so that they cannot deadlock.
    const entries = [...pending].sort(([a], [b]) => (a < b ? -1 : 1));
    pending.clear();
    for (let start = 0; start < entries.length; start += BATCH_SIZE) {
      const batch = entries.slice(start, start + BATCH_SIZE);
      const store = (tx: Tx) => storeAll(tx, batch, clock());
      await database.transaction(store).catch((error) => {
        logger.warn({ err: error }, 'rejected requests could not be recorded and are kept');
        for (const [key, rejection] of batch) add(key, rejection);
      });
    }
  });
  return { pending, add, flush: writer.flush };
}

export interface DeniedAccess {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  readonly clientIp: string;
}

function toPending(
  { actor, clientIp, ...event }: Rejection,
  { settings, now }: { readonly settings: CurrentSettingsSource; readonly now: number },
): PendingRejection {
  const address = toStoredAddress(clientIp, settings.current.eventsAddress);
  const context = { actor, requestId: null, clientIp, address, userAgent: null };
  return { context, event: { ...event, outcome: 'failure', mayBeErased: true }, firstAt: now, count: 1 };
}

function toSubject(caller: Caller): Pick<Rejection, 'actor' | 'subject'> {
  if (caller.kind === 'anonymous') return { actor: ANONYMOUS };
  if (caller.kind === 'user')
    return {
      actor: { type: 'user', id: caller.userId, name: null },
      subject: formatUserSubject(caller.userId),
    };
  const { credential } = caller;
  return { actor: toActor(credential), subject: `credential:${credential.id}` };
}

async function storeAll(
  tx: Tx,
  batch: readonly (readonly [string, PendingRejection])[],
  now: number,
): Promise<void> {
  for (const [, { context, event, count, firstAt }] of batch)
    await runInContext(context, () => recordEvent(tx, { ...event, occurrences: { count, firstAt }, now }));
}
