import { type Reader, sql } from '../../../database/database.ts';
import { sqlForRows } from '../../../database/rows.ts';
import type { DeliveredEvent } from '../deliveries/enqueue-deliveries.ts';

const FIRST_FROM = sql<{ number: number; created_at: number }>(
  'select number, created_at from events where number >= $1 order by number limit 1',
);

/** Returns the first event with this number or a higher one. */
export function findEventFrom(reader: Reader, number: number) {
  return reader.get(FIRST_FROM, number);
}

const EVENTS = sqlForRows<DeliveredEvent>(
  { columns: { id: 'text' } },
  (given) => `
    with ${given}
    select events.id, events.type, events.subject, events.sequence, events.created_at, events.number
    from given cross join events
    where events.id = given.id and events.number is not null and events.type is not null`,
);

/** Returns those of at most 500 events that are numbered and were not removed, in their order. */
export async function readEventsById(reader: Reader, ids: readonly string[]): Promise<DeliveredEvent[]> {
  const { statement, values } = EVENTS(
    [],
    ids.map((id) => [id]),
  );
  const events = await reader.all(statement, ...values);
  return events.sort((a, b) => a.number! - b.number!);
}
