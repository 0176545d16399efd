import type { Reader } from '../../../database/database.ts';
import { prepareForRows, prepareRun } from '../../../database/prepare.ts';
import type { DeliveredEvent } from '../deliveries/enqueue-deliveries.ts';

const EVENTS = prepareForRows<DeliveredEvent>(
  { id: 'text' },
  `select events.id, events.type, events.subject, events.sequence, events.created_at, events.number
    from given cross join events
    where events.id = given.id and events.number is not null and events.type is not null`,
);

/** Makes the jobs of an endpoint due that wait for another attempt; returns their number. */
export const attemptAllNow = prepareRun<[endpointId: string, now: number]>(`
  update jobs set next_attempt_at = $2
  where endpoint_id = $1 and next_attempt_at > $2 and leased_until is null`);

/** Returns those of at most 500 events that are numbered and were not removed, in their order. */
export async function readEventsById(reader: Reader, ids: readonly string[]): Promise<DeliveredEvent[]> {
  return (await EVENTS.all(reader, ids)).sort((a, b) => a.number! - b.number!);
}
