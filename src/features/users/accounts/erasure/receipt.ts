/** Receipts of erasures. */
import type { Reader } from '../../../../database/database.ts';
import { formatTimestamp } from '../../../../lib/time/clock.ts';
import { findLatestEvent } from '../../../events/queries.ts';
import { formatUserSubject } from '../../../events/record-event.ts';

/** What every erasure deletes. */
export const ERASED = [
  'record',
  'tokens',
  'links',
  'messages',
  'addresses_and_devices_of_events',
  'stored_responses',
  'known_networks',
  'activity',
] as const;

/** Returns the receipt; without an event while the last rows are being deleted. */
export async function findReceipt(reader: Reader, userId: string) {
  const event = await findLatestEvent(reader, formatUserSubject(userId), 'user.erased');
  return {
    user_id: userId,
    event_id: event?.id ?? null,
    erased_at: event === undefined ? null : formatTimestamp(event.created_at),
    deleted: ERASED,
  };
}
