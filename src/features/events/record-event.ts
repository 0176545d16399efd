/** Records events in the transaction of their cause (OWASP ASVS 5.0, 16.3). */
import { hash } from 'node:crypto';
import { type Actor, type ActorType, getActionContext } from '../../callers/action-context.ts';
import { ONE_SLOT } from '../../database/counters.ts';
import type { Tx } from '../../database/database.ts';
import { describeDevice } from '../../lib/devices.ts';
import { getWidestNetwork } from '../../lib/network.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { HOUR } from '../../lib/time.ts';
import { addSalt } from './chain/chain.ts';
import { EVENT_TYPES, type EventOutcome, type EventType } from './event-types.ts';
import { countOccurrences, hasManyNetworks } from './numbering/queries.ts';
import { insertEvents, lockSubject, type NewEventRow } from './queries.ts';

/** A member that was changed. Values are recorded of members that contain no personal data. */
export interface RecordedChange {
  readonly name: string;
  readonly from?: string | number | boolean | null;
  readonly to?: string | number | boolean | null;
}

export interface NewEvent {
  readonly type: EventType;
  /** The user that it is about; none for other events. */
  readonly userId?: string | null;
  /** Subject other than a user, such as `settings`. */
  readonly subject?: string;
  /** Replaces the actor of the context, or its type: a login makes an anonymous caller a user. */
  readonly actor?: ActorType | Actor;
  readonly outcome?: EventOutcome;
  readonly reason?: string | null;
  readonly changes?: readonly RecordedChange[];
  /** Whether the transaction has not locked the user, who may be erased meanwhile. */
  readonly mayBeErased?: boolean;
  /** How often it has happened since `firstAt`; once if absent. */
  readonly occurrences?: { readonly count: number; readonly firstAt: number } | undefined;
  /** Whether the address and the device of the client are stored; true if absent. */
  readonly namesClient?: boolean;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The key of events without a subject whose networks are too many. */
const ALL_NETWORKS = 'all';

/** Returns the subject of the events of a user. */
export const formatUserSubject = (userId: string): string => `user:${userId}`;

/** Members whose changes are recorded one by one, because they decide what a user may do. */
const NEVER_MERGED: readonly string[] = ['level', 'role', 'state', 'app_metadata'];

/**
 * Stores the event. Those of one cause beyond `perHour` of the type are only counted; `recordCounts` makes one event
 * of them within a minute. What administrators do is never merged, except for failures.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { type, changes, mayBeErased, occurrences } = event;
  const { count, firstAt } = occurrences ?? { count: 1, firstAt: event.now };
  const created = createRow(event);
  const row = mayBeErased ? await omitErased(tx, created) : created;
  const { perHour, isSlotted } = EVENT_TYPES[type];
  const isMerged =
    occurrences !== undefined ||
    row.outcome === 'failure' ||
    (row.actor !== 'administrator' && !changes?.some(({ name }) => NEVER_MERGED.includes(name)));
  let recorded = count;
  if (perHour !== undefined && isMerged) {
    const { slot, slots } = isSlotted ? tx : ONE_SLOT;
    const limit = Math.ceil(perHour / slots);
    const key = `${await countKey(tx, row)}${slot === 0 ? '' : ` ${slot}`}`;
    const counted = key.startsWith(ALL_NETWORKS) ? { ...row, network: null } : row;
    const total = await countOccurrences(tx, counted, { key, count, limit });
    recorded = Math.min(count, limit - (total - count));
  }
  if (recorded === 1) await insertEvents(tx, [row]);
  if (recorded <= 1) return;
  const data = { ...JSON.parse(row.data!), occurrences: recorded, first_at: firstAt, last_at: event.now };
  await insertEvents(tx, [{ ...row, data: JSON.stringify(data) }]);
}

/** Stores events of an administrator, whose acts are never merged. */
export function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  return insertEvents(tx, events.map(createRow));
}

function createRow(event: NewEvent): NewEventRow {
  const { address, userAgent, requestId } = getActionContext();
  const { type, userId, outcome = 'success', reason = null, changes, details, now } = event;
  const actor = getActor(event);
  const isClientStored = event.namesClient !== false;
  const device = isClientStored ? describeDevice(userAgent) : null;
  const subject = event.subject ?? (userId == null ? null : formatUserSubject(userId));
  const actorId = actor.type === 'user' ? (actor.id ?? userId ?? null) : actor.id;
  const isForeign = actor.type === 'user' && actorId !== null && subject !== formatUserSubject(actorId);
  const actorName = actor.type === 'administrator' ? actor.name : null;
  // Without those that are undefined.
  const data = {
    request_id: requestId ?? undefined,
    actor_name: actorName ?? undefined,
    changes,
    details,
  };
  return {
    id: newId(),
    created_at: now,
    type,
    subject,
    actor: actor.type,
    actor_id: actorId,
    outcome,
    reason,
    data: JSON.stringify(data),
    network: address === null || !isClientStored ? null : addSalt(address),
    device: device === null && !isForeign ? null : addSalt(device, isForeign ? actorId : undefined),
  };
}

function getActor({ actor }: NewEvent): Actor {
  const { actor: caller } = getActionContext();
  if (actor === undefined) return caller;
  if (typeof actor === 'object') return actor;
  return { ...caller, type: actor, id: actor === caller.type ? caller.id : null };
}

/**
 * Returns the key under which occurrences are counted: of events without a subject, the network of the client, as long
 * as they are few. It is hashed, because the operator may have turned addresses off.
 */
async function countKey(tx: Tx, row: NewEventRow): Promise<string> {
  const { type, reason, subject, actor, actor_id, created_at } = row;
  const cause = `${type} ${reason ?? ''}`;
  if (subject !== null) return `${subject} ${cause} ${actor}:${actor_id ?? ''}`;
  if (await hasManyNetworks(tx, Math.floor(created_at / HOUR))) return `${ALL_NETWORKS} ${cause}`;
  return `network ${hash('sha256', getWidestNetwork(getActionContext().clientIp), 'base64url')} ${cause}`;
}

const USER = 'user:';

/**
 * Returns the event without users who are erased, and then without address and device. Locks the others by default, so
 * that an erasure that begins meanwhile finds the event.
 */
export async function omitErased<Row extends Omit<NewEventRow, 'id'>>(
  tx: Tx,
  row: Row,
  exists: (tx: Tx, userId: string) => Promise<boolean> = lockSubject,
): Promise<Row> {
  const { subject, actor, actor_id } = row;
  const userId = subject?.startsWith(USER) ? subject.slice(USER.length) : null;
  const actorId = actor === 'user' ? actor_id : null;
  const hasSubject = userId === null || (await exists(tx, userId));
  const hasActor = actorId === userId ? hasSubject : actorId === null || (await exists(tx, actorId));
  if (hasSubject && hasActor) return row;
  return {
    ...row,
    subject: hasSubject ? subject : null,
    actor_id: hasActor ? actor_id : null,
    network: null,
    device: null,
  };
}
