/** Events of accounts in the shape of earlier releases: kinds instead of types, for the deprecated paths. */
import type { Reader } from '../../../database/database.ts';
import { timestamp } from '../../../lib/time/clock.ts';
import type { EventType } from '../event-types.ts';
import type { EventRow } from '../queries.ts';
import { userSubject } from '../record-event.ts';
import { readLatest, readLatestOfSubject, readUsers, type SubjectUser } from './queries.ts';

/** Kinds of events of an account. Public: a kind never changes its meaning. */
export const EVENT_KINDS = [
  'registered',
  'created',
  'logged_in',
  'logged_in_from_new_network',
  'logged_out',
  'password_changed',
  'password_reset',
  'password_reset_requested',
  'email_change_requested',
  'email_changed',
  'email_verified',
  'claimed',
  'token_created',
  'token_rotated',
  'token_revoked',
  'tokens_revoked',
  'disabled',
  'enabled',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const EVENT_ACTORS = ['user', 'administrator', 'anonymous'] as const;

/** Events in one response. */
export const MAX_EVENTS = 100;

type FindKind = (event: Pick<EventRow, 'reason' | 'actor'>) => EventKind | null;

/** All other types had no kind. */
const KINDS: Readonly<Partial<Record<EventType, EventKind | FindKind>>> = {
  'user.created': ({ actor }) =>
    actor === 'user' ? 'registered' : actor === 'administrator' ? 'created' : null,
  'login.succeeded': ({ reason }) => (reason === 'new_network' ? 'logged_in_from_new_network' : 'logged_in'),
  'token.revoked': ({ reason }) =>
    reason === 'logout' ? 'logged_out' : reason === 'several' ? 'tokens_revoked' : 'token_revoked',
  'password.changed': 'password_changed',
  'password.reset': 'password_reset',
  'email.change_requested': 'email_change_requested',
  'email.changed': 'email_changed',
  'email.verified': 'email_verified',
  'user.claimed': 'claimed',
  'token.created': 'token_created',
  'token.rotated': 'token_rotated',
  'user.disabled': 'disabled',
  'user.enabled': 'enabled',
};

/** Times in epoch milliseconds. */
export interface SecurityEvent {
  readonly id: string;
  readonly kind: EventKind;
  readonly actor: string;
  readonly created_at: number;
  /** How often it happened, if occurrences were counted. */
  readonly occurrences: number;
  /** The last time; null if it happened once. */
  readonly last_at: number | null;
}

/** Returns null for events that have no kind. */
function toSecurityEvent(row: EventRow): SecurityEvent | null {
  const { id, type, actor, created_at, data } = row;
  const kind = type === null ? undefined : KINDS[type];
  const found = typeof kind === 'function' ? kind(row) : (kind ?? null);
  if (found === null || actor === null) return null;
  const { occurrences = 1, last_at = null } = JSON.parse(data ?? '{}') as Partial<SecurityEvent>;
  return { id, kind: found, actor, created_at, occurrences, last_at };
}

/** Returns the latest events of a user that have a number, newest first. */
export async function latestEvents(reader: Reader, userId: string, limit: number): Promise<SecurityEvent[]> {
  const rows = await readLatestOfSubject(reader, userSubject(userId), limit);
  return rows.map(toSecurityEvent).filter((event) => event !== null);
}

/** Returns the response with the latest events of a user, newest first. */
export async function findEvents(reader: Reader, userId: string): Promise<object> {
  const events = await latestEvents(reader, userId, MAX_EVENTS);
  return { message: 'Security events', data: events.map(securityEventView) };
}

/** Returns the latest events of all users, newest first, with the users as they are now. */
export async function latestEventsOfAll(reader: Reader, limit: number): Promise<object[]> {
  const rows = await readLatest(reader);
  const found = rows.flatMap((row) => {
    const event = row.subject?.startsWith('user:') ? toSecurityEvent(row) : null;
    return event === null ? [] : [{ event, userId: row.subject!.slice('user:'.length) }];
  });
  const latest = found.slice(0, limit);
  const users = await readUsers(reader, [...new Set(latest.map(({ userId }) => userId))]);
  return latest.map(({ event, userId }) => {
    const user: SubjectUser = users.get(userId) ?? { id: userId, email: null, name: null };
    return { ...securityEventView(event), user };
  });
}

function securityEventView({ created_at, last_at, ...event }: SecurityEvent): object {
  return {
    ...event,
    created_at: timestamp(created_at),
    last_at: last_at === null ? null : timestamp(last_at),
  };
}
