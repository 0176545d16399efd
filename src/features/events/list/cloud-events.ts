/** Events as CloudEvents 1.0, without personal data. */
import { formatTimestamp } from '../../../lib/time/clock.ts';
import type { EventRow } from '../queries.ts';

export const CLOUD_EVENTS_TYPE = 'application/cloudevents-batch+json';

/** As many digits as a safe integer has: the texts have the order of the numbers. */
const SEQUENCE_DIGITS = 16;

/** Returns the event with its number in the feed as the extension `sequence`; `source` is the URL of the service. */
export function cloudEventView(
  { id, type, created_at, subject, sequence, number }: EventRow,
  source: string,
) {
  return {
    specversion: '1.0',
    id,
    source: source || '/',
    type: type!,
    time: formatTimestamp(created_at),
    ...(subject === null ? {} : { subject, subjectsequence: sequence! }),
    sequence: String(number).padStart(SEQUENCE_DIGITS, '0'),
  };
}
