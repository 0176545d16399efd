import type { Reader } from '../../../database/database.ts';
import { prepareForRows, prepareGet } from '../../../database/prepare.ts';
import type { DeliveredEvent } from '../deliveries/enqueue-deliveries.ts';

/** Returns the first event with this number or a higher one. */
export const findEventFrom = prepareGet<{ number: number; created_at: number }, [number: number]>(
  'select number, created_at from events where number >= $1 order by number limit 1',
);

const EVENTS = prepareForRows<DeliveredEvent>(
  { id: 'text' },
  `select events.id, events.type, events.subject, events.sequence, events.created_at, events.number
    from given cross join events
    where events.id = given.id and events.number is not null and events.type is not null`,
);

/** Returns those of at most 500 events that are numbered and were not removed, in their order. */
export async function readEventsById(reader: Reader, ids: readonly string[]): Promise<DeliveredEvent[]> {
  return (await EVENTS.all(reader, ids)).sort((a, b) => a.number! - b.number!);
}
