/** Latest events, and the users that they are about. */
import { type Reader, sql } from '../../../database/database.ts';
import { inBatches, sqlForRows } from '../../../database/rows.ts';
import { EVENT_COLUMNS, type EventRow } from '../queries.ts';

const LATEST_OF_SUBJECT = sql<EventRow>(`
  select ${EVENT_COLUMNS} from events where subject = $1 and number > 0 order by number desc limit $2`);

export function readLatestOfSubject(reader: Reader, subject: string, limit: number): Promise<EventRow[]> {
  return reader.all(LATEST_OF_SUBJECT, subject, limit);
}

/** Enough to find a page of those of users among failed logins. */
const EXAMINED = 500;

const LATEST = sql<EventRow>(
  `select ${EVENT_COLUMNS} from events where number > 0 order by number desc limit $1`,
);

export function readLatest(reader: Reader): Promise<EventRow[]> {
  return reader.all(LATEST, EXAMINED);
}

/** The user that an event is about, as they are now. */
export interface SubjectUser {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
}

const USERS = sqlForRows<SubjectUser>(
  { columns: { id: 'text' } },
  (given) => `
    with ${given}
    select users.id, users.email, users.name from given cross join users where users.id = given.id`,
);

/** Returns those users that are not erased, by id. */
export async function readUsers(reader: Reader, ids: readonly string[]): Promise<Map<string, SubjectUser>> {
  const users = new Map<string, SubjectUser>();
  for (const batch of inBatches(ids)) {
    const { statement, values } = USERS(
      [],
      batch.map((id) => [id]),
    );
    for (const user of await reader.all(statement, ...values)) users.set(user.id, user);
  }
  return users;
}
