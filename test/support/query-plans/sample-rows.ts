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
    created_at: TIME,
    updated_at: TIME,
    version: '1',
  },
  tokens: { hash: ID, id: ID, user_id: ID, name: ID, scopes: ID, created_at: TIME, expires_at: TIME },
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
  jobs: {
    id: ID,
    queue: "case when i % 4 < 2 then 'mail' else 'webhook' end",
    // Each lane has one job that is due; the other jobs of webhooks wait in ten of the lanes.
    lane: "case when i % 4 >= 2 then 'lane-' || cast(case when i % 4 = 2 then i else i % 40 - 1 end as text) end",
    kind: "case when i % 4 < 2 then 'verify_email' end",
    user_id: `case when i % 4 = 0 then ${ID} end`,
    email: `case when i % 4 < 2 then ${ID} end`,
    email_key: `case when i % 4 < 2 then ${ID} end`,
    data: "'{}'",
    attempts: '0',
    endpoint_id: "case when i % 4 >= 2 then 'endpoint-' || cast(i % 10 as text) end",
    event_number: 'i',
    priority: 'i % 3',
    origin: "case when i % 4 = 0 then 'user' when i % 4 = 1 then 'anonymous' end",
    next_attempt_at: `case when i % 4 = 3 then 8640000000000000 else ${TIME} end`,
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
