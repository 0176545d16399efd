/** The filter and the order of lists of events in a query. */
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/parameters.ts';
import type { EventList } from './event-cursors.ts';
import type { listQuerySchema } from './schemas.ts';

/** Returns the list of a validated query, the newest first without another order. */
export function toEventList(query: SchemaValue<typeof listQuerySchema>): EventList {
  const { type = null, subject = null, actor = null, outcome = null, from, to, order = '-time' } = query;
  return { filter: { type, subject, actor, outcome, from: toTime(from), to: toTime(to) }, order };
}
