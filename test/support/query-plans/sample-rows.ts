/** Rows for every table that grows: the planner of PostgreSQL chooses by the size of the tables. */
import { type Database, sql } from '../../../src/database/database.ts';

const ROWS = 5_000;
const NUMBERS = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})`;
/** Its own for each row. Referring columns have it, too, so that each row refers to one. */
const ID = "'id-' || cast(i as text)";
const TIME = 'cast(1700000000000 as bigint) + i * 1000';
const STATE = "case when i % 5 = 0 then 'unclaimed' else 'active' end";

/** By table and column. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    id: ID,
    name: ID,
    email: ID,
    email_key: ID,
    name_key: ID,
    owns_email: 'case when i % 10 = 0 then 0 else 1 end',
    state: STATE,
    level: "case when i % 2 = 0 then 'level-' || cast(i as text) end",
    last_login_at: `case when i % 10 > 0 then ${TIME} end`,
    created_at: TIME,
    updated_at: TIME,
    version: '1',
  },
  user_words: { user_id: ID, word: ID },
  tokens: {
    hash: ID,
    id: ID,
    user_id: ID,
    name: ID,
    first_characters: ID,
    scopes: ID,
    created_at: TIME,
    expires_at: TIME,
  },
  user_activity: { day: 'i % 30', user_id: ID },
  failed_logins: { minute: 'i', failures: '1' },
  known_networks: { user_id: ID, network: ID, first_login_at: TIME, last_login_at: TIME },
  idempotency_keys: {
    id: ID,
    route: "'POST /'",
    key_hash: ID,
    scope: "'anonymous'",
    origin: ID,
    fingerprint: ID,
    state: "'done'",
    lease_until: TIME,
    expires_at: TIME,
    user_id: ID,
    token_hash: ID,
  },
  rate_limits: { key: ID, tat: TIME, touched_at: TIME, allowed: '1' },
  mail_queue: {
    id: ID,
    kind: "'verify_email'",
    user_id: `case when i % 2 = 0 then ${ID} end`,
    email: ID,
    email_key: ID,
    data: "'{}'",
    attempts: '0',
    priority: 'i % 3',
    origin: "case when i % 2 = 0 then 'user' else 'anonymous' end",
    next_attempt_at: TIME,
    created_at: TIME,
    expires_at: TIME,
  },
  mail_recipients: { recipient: ID, sends: "'[]'", last_sent_at: TIME },
  account_links: {
    hash: ID,
    kind: "'verify_email'",
    user_id: ID,
    email: ID,
    created_at: TIME,
    expires_at: TIME,
  },
  security_events: { id: ID, user_id: ID, kind: "'logged_in'", actor: "'user'", created_at: TIME },
  failed_attempts: { key: ID, failures: '1', wait_until: TIME, touched_at: TIME, admitted: '1' },
};

/** Tables that get rows. */
export const SAMPLED_TABLES: readonly string[] = Object.keys(VALUES);

export function insertSampleRows(database: Database): Promise<void> {
  return database.transaction(async (tx) => {
    for (const [table, columns] of Object.entries(VALUES)) {
      const names = Object.keys(columns).join(', ');
      const values = Object.values(columns).join(', ');
      await tx.run(sql(`insert into ${table} (${names}) ${NUMBERS} select ${values} from n`));
    }
  });
}
