/** Receipts of erasures. */
import type { Reader } from '../../../database/database.ts';
import { dataSchema, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { findLatestEvent } from '../../events/queries.ts';
import { formatUserSubject } from '../../events/record-event.ts';
import { nullableText, nullableTimestamp } from '../../users/records/member-schemas.ts';
import { exampleId } from '../../users/records/schemas.ts';

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

export const preferHeader = {
  Prefer: {
    type: 'string',
    description: '`return=representation`: responds with a receipt.',
    examples: ['return=representation'],
  },
} as const satisfies Record<string, JsonSchema>;

export const receiptSchema = dataSchema(
  recordSchema({
    user_id: { type: 'string' },
    event_id: {
      ...nullableText,
      description:
        'Id of the event `user.erased`; null while the last of very many rows are deleted in the background.',
    },
    erased_at: { ...nullableTimestamp, description: 'Time of that event.' },
    deleted: {
      type: 'array',
      description: 'What was deleted.',
      items: { type: 'string', enum: ERASED },
    },
  }),
);

export const exampleReceipt = {
  user_id: exampleId,
  event_id: '01938c5e-7b00-7c3d-8e1f-3a4b5c6d7e8f',
  erased_at: '2026-03-31T23:30:00.000Z',
  deleted: ERASED,
};
