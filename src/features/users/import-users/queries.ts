import { getActionContext } from '../../../callers/action-context.ts';
import type { Reader, Tx } from '../../../database/database.ts';
import { prepareForRows } from '../../../database/prepare.ts';
import { newId } from '../../../lib/secrets/ids.ts';

/** A scalar subquery, which no engine turns into a join that reads all users. */
const OWNED = prepareForRows<{ email_key: string }>(
  { email_key: 'text' },
  `select email_key from given where 1 = (
      select owns_email from users where users.email_key = given.email_key and owns_email = 1)`,
);

/** Returns which of at most 500 normalized emails have an owner. */
export async function findOwnedEmails(reader: Reader, emailKeys: readonly string[]): Promise<Set<string>> {
  return new Set((await OWNED.all(reader, emailKeys)).map(({ email_key }) => email_key));
}

const INSERT_EVENTS = prepareForRows<never, [now: number, data: string]>(
  { id: 'text', user_id: 'text' },
  `insert into events (id, created_at, type, subject, actor, outcome, data)
    select id, cast($1 as bigint), 'user.created', 'user:' || user_id, 'administrator', 'success', $2
    from given where true`,
  2,
);

/** Records the creation of at most 500 users by the administrator. */
export async function insertCreatedEvents(tx: Tx, userIds: readonly string[], now: number): Promise<void> {
  const { name } = getActionContext().actor;
  const events = userIds.map((userId) => [newId(), userId]);
  await INSERT_EVENTS.run(tx, events, now, JSON.stringify({ actor_name: name }));
}
