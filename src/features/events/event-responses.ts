/** Security events as responses show them. */
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../lib/time/clock.ts';
import { latestEvents, type SecurityEventRow, type UserEventRow } from './queries.ts';

/** Events of a user in one response. */
export const MAX_EVENTS = 100;

/** Returns the response with the latest events of a user, newest first. */
export async function findEvents(database: Database, userId: string): Promise<object> {
  const events = await latestEvents(database, userId, MAX_EVENTS);
  return { message: 'Security events', data: events.map(eventView) };
}

function eventView({ id, kind, actor, created_at, occurrences, last_at }: SecurityEventRow) {
  const last = last_at === null ? null : timestamp(last_at);
  return { id, kind, actor, created_at: timestamp(created_at), occurrences, last_at: last };
}

/** Returns an event with its user. */
export function userEventView(event: UserEventRow): object {
  const { user_id: id, email, name } = event;
  return { ...eventView(event), user: { id, email, name } };
}
