/** Records the events of credentials. */
import type { Tx } from '../../database/database.ts';
import { type NewEvent, recordEvent } from '../events/record-event.ts';

/** Records an event of the credential, with its name and further details. */
export function recordCredentialEvent(
  tx: Tx,
  { id, name }: { readonly id: string; readonly name: string },
  { details, ...event }: Omit<NewEvent, 'subject'>,
): Promise<void> {
  return recordEvent(tx, { ...event, subject: `credential:${id}`, details: { name, ...details } });
}
