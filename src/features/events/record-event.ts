/** Records events in the transaction of their cause (OWASP ASVS 5.0, 16.3). */
import { hash } from 'node:crypto';
import { type Actor, type ActorType, getActionContext } from '../../callers/action-context.ts';
import type { Tx } from '../../database/database.ts';
import { describeDevice } from '../../lib/devices.ts';
import { getWidestNetwork } from '../../lib/network.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { addSalt } from './chain/chain.ts';
import { countOccurrence, hasManyNetworks } from './counts/queries.ts';
import { EVENT_TYPES, type EventOutcome, type EventType } from './event-types.ts';
import { insertEvent, type NewEventRow } from './queries.ts';

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
  /** What else it is about, such as `settings`. */
  readonly subject?: string;
  /** Replaces the actor of the context, or its type: a login makes an anonymous caller a user. */
  readonly actor?: ActorType | Actor;
  readonly outcome?: EventOutcome;
  readonly reason?: string | null;
  readonly changes?: readonly RecordedChange[];
  /** Whether the address and the device of the client are stored; true if absent. */
  readonly namesClient?: boolean;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The key of events without a subject whose networks are too many. */
const ALL_NETWORKS = 'all';

/** Returns the subject of the events of a user. */
export function userSubject(userId: string): string {
  return `user:${userId}`;
}

/** Members whose changes are recorded one by one, because they decide what a user may do. */
const NEVER_MERGED: readonly string[] = ['level', 'state', 'app_metadata'];

/**
 * Stores the event. Those of one cause beyond `perHour` of the type are only counted; `recordCounts` makes one event
 * of them within a minute. What administrators do is never merged.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  const row = createRow(event);
  const limit = EVENT_TYPES[event.type].perHour;
  const isMerged =
    row.actor !== 'administrator' && !event.changes?.some(({ name }) => NEVER_MERGED.includes(name));
  if (limit !== undefined && isMerged) {
    const key = await countKey(tx, row);
    const counted = key.startsWith(ALL_NETWORKS) ? { ...row, network: null } : row;
    if ((await countOccurrence(tx, counted, { key, limit })) > limit) return;
  }
  await insertEvent(tx, row);
}

function createRow(event: NewEvent): NewEventRow {
  const { address, userAgent, requestId } = getActionContext();
  const { type, userId, outcome = 'success', reason = null, changes, details, now } = event;
  const actor = getActor(event);
  const isClientStored = event.namesClient !== false;
  const device = isClientStored ? describeDevice(userAgent) : null;
  const data = {
    ...(requestId === null ? {} : { request_id: requestId }),
    ...(actor.type === 'administrator' && actor.name !== null ? { actor_name: actor.name } : {}),
    ...(changes === undefined ? {} : { changes }),
    ...(details === undefined ? {} : { details }),
  };
  return {
    id: newId(),
    created_at: now,
    type,
    subject: event.subject ?? (userId == null ? null : userSubject(userId)),
    actor: actor.type,
    actor_id: actor.type === 'user' ? (actor.id ?? userId ?? null) : actor.id,
    outcome,
    reason,
    data: JSON.stringify(data),
    network: address === null || !isClientStored ? null : addSalt(address),
    device: device === null ? null : addSalt(device),
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
  const { type, subject, actor, actor_id, created_at } = row;
  if (subject !== null) return `${subject} ${type} ${actor}:${actor_id ?? ''}`;
  if (await hasManyNetworks(tx, Math.floor(created_at / HOUR))) return `${ALL_NETWORKS} ${type}`;
  return `network ${hash('sha256', getWidestNetwork(getActionContext().clientIp), 'base64url')} ${type}`;
}
