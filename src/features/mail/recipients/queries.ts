import type { Tx } from '../../../database/database.ts';
import { prepareRun, prepareValue } from '../../../database/prepare.ts';

/**
 * Returns what was sent to a recipient, as JSON, and locks the row until the end of the transaction: if it exists, by an
 * update without a change.
 */
export const lockRecipient = prepareValue<string, [recipient: string, now: number], Tx>(`
  insert into mail_recipients (recipient, sends, last_sent_at) values ($1, '[]', $2)
  on conflict (recipient) do update set last_sent_at = mail_recipients.last_sent_at
  returning sends`);

/** Stores what was sent to a recipient, as JSON. */
export const writeRecipient = prepareRun<{ recipient: string; sends: string; now: number }>(
  'update mail_recipients set sends = $sends, last_sent_at = $now where recipient = $recipient',
);

/** Deletes recipients without messages after `before`; returns their number. */
export const deleteOldRecipients = prepareRun<[before: number, limit: number]>(`
  delete from mail_recipients where recipient in (
    select recipient from mail_recipients where last_sent_at <= $1 order by last_sent_at limit $2)`);
