/** Changes of the email of an account, by its user or the administrator. */
import type { ActorType } from '../../../callers/action-context.ts';
import type { Tx } from '../../../database/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueueNotice } from '../../mail/enqueue-mail.ts';
import type { UserRow } from '../../users/records/queries.ts';

/** Records that the user has another email (null: none any more), and notifies the earlier address (OWASP ASVS 5.0, 6.3.7). */
export async function recordEmailChange(
  tx: Tx,
  before: UserRow,
  { email, actor, now }: { email: string | null; actor: ActorType; now: number },
): Promise<void> {
  await recordEvent(tx, { type: 'email.changed', userId: before.id, actor, now });
  const data: Record<string, string> = email === null ? {} : { new_email: email };
  await enqueueNotice(tx, before, { kind: 'email_changed', data, now });
}
