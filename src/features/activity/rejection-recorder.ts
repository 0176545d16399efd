/**
 * Records rejected requests without delaying them: they are counted in memory and written together about once a second,
 * at most one event of each cause. A crash loses at most that second.
 */
import type { Logger } from 'pino';
import { type ActionContext, type Actor, runInContext, toActor } from '../../callers/action-context.ts';
import type { Caller } from '../../callers/callers.ts';
import type { DatabaseDeps, Tx } from '../../database/database.ts';
import { getWidestNetwork, toStoredAddress } from '../../lib/network.ts';
import { createDelayedWriter } from '../../lib/queues/shared-work.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import type { EventType } from '../events/event-types.ts';
import { formatUserSubject, recordEvent } from '../events/record-event.ts';

/** Causes of one second that are recorded one by one; further ones are counted together. */
const MAX_CAUSES = 1_000;
/** Few enough for a transaction of some milliseconds. */
const BATCH_SIZE = 50;

const ANONYMOUS: Actor = { type: 'anonymous', id: null, name: null };

interface PendingRejection {
  readonly context: ActionContext;
  readonly event: { readonly type: EventType; readonly reason: string | null; readonly subject?: string };
  readonly firstAt: number;
  count: number;
}

interface RejectionDeps extends DatabaseDeps {
  readonly logger: Logger;
  readonly settings: CurrentSettingsSource;
}

export type RejectionRecorder = ReturnType<typeof createRejectionRecorder>;

/** Creates a recorder that writes by itself about a second after the first rejection. */
export function createRejectionRecorder(deps: RejectionDeps) {
  const { clock, settings } = deps;
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
    await storeAll(deps, entries, add);
  });
  const count = (event: PendingRejection['event'], clientIp: string, actor = ANONYMOUS) => {
    const { type, subject, reason } = event;
    const key = `${type} ${subject} ${reason} ${getWidestNetwork(clientIp)}`;
    const address = toStoredAddress(clientIp, settings.current.eventsAddress);
    const context = { actor, requestId: null, clientIp, address, userAgent: null };
    const rejection = { context, event, firstAt: clock(), count: 1 };
    if (pending.has(key) || pending.size < MAX_CAUSES) return add(key, rejection);
    // Of further ones only the number.
    const unknown = { ...context, actor: ANONYMOUS, clientIp: '', address: null };
    add(type, { ...rejection, context: unknown, event: { type, reason } });
  };
  return {
    loginLimited: (clientIp: string) => count({ type: 'login.failed', reason: 'limited' }, clientIp),
    credentialRejected: (clientIp: string) => count({ type: 'credential.rejected', reason: null }, clientIp),
    accessDenied({ caller, scopes, clientIp }: DeniedAccess) {
      const { actor, ...subject } = describeCaller(caller);
      count({ type: 'access.denied', reason: scopes.join(' '), ...subject }, clientIp, actor);
    },
    flush: writer.flush,
    close: writer.flush,
  };
}

interface DeniedAccess {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  readonly clientIp: string;
}

function describeCaller(caller: Caller): { actor: Actor; subject?: string } {
  if (caller.kind === 'anonymous') return { actor: ANONYMOUS };
  if (caller.kind === 'admin') {
    const { id, role } = caller.credential;
    const subject = role === undefined ? `credential:${id}` : formatUserSubject(String(id));
    return { actor: toActor(caller.credential), subject };
  }
  const { userId } = caller;
  return { actor: { type: 'user', id: userId, name: null }, subject: formatUserSubject(userId) };
}

type Entry = readonly [key: string, rejection: PendingRejection];

/** Stores the rejections in batches, and calls `keep` with those that cannot be stored. */
async function storeAll(
  { database, clock, logger }: RejectionDeps,
  entries: readonly Entry[],
  keep: (...entry: Entry) => void,
): Promise<void> {
  for (let start = 0; start < entries.length; start += BATCH_SIZE) {
    const batch = entries.slice(start, start + BATCH_SIZE);
    await database
      .transaction((tx) => storeBatch(tx, batch, clock()))
      .catch((error) => {
        logger.warn({ err: error }, 'rejected requests could not be recorded and are kept');
        for (const entry of batch) keep(...entry);
      });
  }
}

async function storeBatch(tx: Tx, batch: readonly Entry[], now: number): Promise<void> {
  for (const [, { context, event, count, firstAt }] of batch) {
    const occurrences = { count, firstAt };
    await runInContext(context, () =>
      recordEvent(tx, { ...event, outcome: 'failure', mayBeErased: true, occurrences, now }),
    );
  }
}
