/** Announces submissions by mail, without their answers, to the addresses that the form names. */
import type { Tx } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { type FormRow, startNoticeHour } from '../queries.ts';

export async function announceSubmission(
  tx: Tx,
  { id, title, notify }: Pick<FormRow, 'id' | 'title' | 'notify'>,
  now: number,
): Promise<void> {
  if (notify === null) return;
  const { addresses, every }: { addresses: string[]; every: string } = JSON.parse(notify);
  const delayMs = every === 'hour' ? HOUR : 0;
  if (delayMs > 0 && !(await startNoticeHour(tx, id, now, now + delayMs))) return;
  const data = { form: title, reason: every };
  const message = { kind: 'form_submissions', userId: null, isByAdministrator: true, data } as const;
  for (const email of addresses) await enqueueMail(tx, { ...message, email, delayMs, now });
}
