import { sql, type Tx } from '../../../database/database.ts';

interface RecipientRow {
  /** JSON. */
  readonly sends: string;
}

/** An update without a change locks a row that exists. */
const LOCK = sql<RecipientRow>(`
  insert into mail_recipients (recipient, sends, last_sent_at) values ($1, '[]', $2)
  on conflict (recipient) do update set last_sent_at = mail_recipients.last_sent_at
  returning sends`);

/** Returns what was sent to a recipient, as JSON, and locks the row until the end of the transaction. */
export async function lockRecipient(tx: Tx, recipient: string, now: number): Promise<string> {
  return (await tx.get(LOCK, recipient, now))!.sends;
}

const WRITE = sql('update mail_recipients set sends = $2, last_sent_at = $3 where recipient = $1');

export interface RecipientWrite {
  readonly recipient: string;
  /** JSON. */
  readonly sends: string;
  readonly now: number;
}

export async function writeRecipient(tx: Tx, { recipient, sends, now }: RecipientWrite): Promise<void> {
  await tx.run(WRITE, recipient, sends, now);
}

const DELETE_OLD = sql(`
  delete from mail_recipients where recipient in (
    select recipient from mail_recipients where last_sent_at <= $1 order by last_sent_at limit $2)`);

/** Deletes recipients without messages after `before`; returns their number. */
export function deleteOldRecipients(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD, before, limit);
}
