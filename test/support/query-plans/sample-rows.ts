/** Rows for every table that grows: the planner of PostgreSQL chooses by the size of the tables. */
import { type Database, sql, type Tx } from '../../../src/database/database.ts';
import type { UserTable } from '../../../src/features/people/personal-data/sign-in-tables.ts';
import { USER_TABLES } from '../../../src/features/people/personal-data/user-tables.ts';

const ROWS = 5_000;
const NUMBERS = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})`;
/** Its own for each row. Referring columns have it, too, so that each row refers to one. */
const ID = "'id-' || cast(i as text)";
const TIME = 'cast(1700000000000 as bigint) + i * 1000';
const STATE = "case when i % 5 = 0 then 'unclaimed' else 'active' end";

/** Rows of a small table to which rows of growing tables refer. */
const ENDPOINTS = `
  insert into webhook_endpoints (id, url, enabled, secret, next_number, created_at, updated_at, version)
  with recursive n (i) as (select 0 union all select i + 1 from n where i < 49)
  select 'endpoint-' || cast(i as text), 'https://example.com/', 1, $1, 1, 1, 1, 1 from n`;

/** A form to which the submissions are sent. */
const FORM = `
  insert into forms (id, title, state, draft_version, access, once, on_erasure, allowed_origins, created_at, updated_at,
    revision)
  select 'form', 'Form', 'draft', 1, 'public', 0, 'delete', '[]', 1, 1, 1
  where not exists (select 1 from forms where id = 'form')`;

/** The application of the codes. */
const APPLICATION = `
  insert into applications (id, name, name_key, kind, redirect_uris, post_logout_redirect_uris, scopes, id_token_alg,
    created_at, updated_at, version)
  select 'application', 'Application', 'application', 'web', '[]', '[]', 'self:read', 'RS256', 1, 1, 1
  where not exists (select 1 from applications where id = 'application')`;
const PROVIDER = `
  insert into identity_providers (id, name, kind, issuer, client_id, client_secret, scopes, trust_email, enabled,
    created_at, updated_at, version)
  values ('provider', 'a', 'oidc', 'a', 'a', $1, 'a', 0, 1, 1, 1, 1)`;

/** By table and column. Tables of the registry need only the columns that it does not name. */
const FURTHER_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
    metadata_generation: 'case when i % 2 = 0 then 1 end',
  },
  user_metadata_keys: { user_id: ID, member: "'app_metadata.plan'", value_key: ID },
  user_texts: { user_id: ID, content: ID },
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
  refresh_tokens: {
    family_id: ID,
    current_hash: ID,
    expires_at: TIME,
    session_id: ID,
    amr: "'pwd'",
    authenticated_at: TIME,
  },
  sign_in_sessions: { hash: ID },
  authorization_codes: {
    authenticated_at: TIME,
    hash: ID,
    application_id: "'application'",
    session_id: '(select min(id) from sign_in_sessions)',
    challenge: ID,
    amr: "'pwd'",
    scopes: "''",
  },
  device_authorizations: {
    authenticated_at: TIME,
    hash: ID,
    user_code_hash: ID,
    application_id: "'application'",
    session_id: '(select min(id) from sign_in_sessions)',
    amr: "'pwd'",
    scopes: "''",
    allowed: '1',
    interval_seconds: '5',
  },
  sign_in_challenges: { tries: '1' },
  passkeys: { counter: '0', backup_eligible: '1', backed_up: '1' },
  passkey_challenges: { binding: "''" },
  user_recovery_codes: { user_id: ID, hash: ID },
  user_activity: { day: 'i % 30', user_id: ID },
  failed_logins: { minute: 'i', failures: '1' },
  idempotency_keys: {
    key_hash: ID,
    scope: "'anonymous'",
    origin: ID,
    fingerprint: ID,
    state: "'done'",
    lease_until: TIME,
    token_hash: ID,
  },
  rate_limits: { key: ID, tat: TIME, touched_at: TIME, allowed: '1' },
  jobs: {
    id: ID,
    queue: "case when i % 4 < 2 then 'mail' else 'webhook' end",
    kind: "case when i % 4 < 2 then 'verify_email' end",
    user_id: `case when i % 4 = 0 then ${ID} end`,
    email: `case when i % 4 < 2 then ${ID} end`,
    email_key: `case when i % 4 < 2 then ${ID} end`,
    data: "'{}'",
    attempts: '0',
    endpoint_id: "case when i % 4 >= 2 then 'endpoint-' || cast(i % 10 as text) end",
    priority: 'i % 3',
    origin: "case when i % 4 = 0 then 'user' when i % 4 = 1 then 'anonymous' end",
    next_attempt_at: TIME,
    created_at: TIME,
    expires_at: TIME,
  },
  mail_recipients: { recipient: ID, sends: "'[]'", last_sent_at: TIME },
  mail_messages: {
    email_key: ID,
    state: "case when i % 10 = 0 then 'failed' else 'sent' end",
    attempts: '1',
  },
  // A tenth has no number yet; of the others, a tenth failed, and a tenth has personal data.
  events: {
    id: ID,
    created_at: TIME,
    type: "case when i % 10 = 1 then 'login.failed' else 'login.succeeded' end",
    subject: ID,
    actor: "case when i % 20 = 0 then 'administrator' else 'user' end",
    outcome: "case when i % 10 = 1 then 'failure' else 'success' end",
    data: "'{}'",
    network: "case when i % 10 = 2 then '{}' end",
    device: "case when i % 10 = 3 then '{}' end",
    number: 'case when i % 10 > 0 then i end',
    sequence: 'case when i % 10 > 0 then 1 end',
    content_hash: ID,
    digest: ID,
  },
  event_counts: {
    hour: 'i / 10',
    count_key: ID,
    type: "'login.failed'",
    actor: "'anonymous'",
    occurrences: '1',
    first_at: TIME,
    last_at: TIME,
  },
  event_subjects: { subject: ID, sequence: '1' },
  webhook_deliveries: {
    id: ID,
    endpoint_id: "'endpoint-' || cast(i % 50 as text)",
    event_number: 'i',
    event_id: ID,
    type: "'user.created'",
    subject: ID,
    sequence: '1',
    occurred_at: TIME,
    state: "case when i % 100 = 0 then 'failed' else 'delivered' end",
    attempts: '1',
    created_at: TIME,
    finished_at: TIME,
  },
  form_submissions: {
    form_id: "'form'",
    version: '1',
    held: 'case when i % 100 = 0 then 1 else 0 end',
    answers: "'{}'",
  },
  group_members: { user_created_at: TIME },
  upstream_requests: {
    state_hash: ID,
    browser_hash: ID,
    provider_id: "'provider'",
    nonce: ID,
    verifier: ID,
    expires_at: TIME,
  },
  pending_identities: {
    browser_hash: ID,
    provider_id: "'provider'",
    issuer: ID,
    subject: ID,
    email: ID,
    email_key: ID,
    email_verified: '1',
    code_tries: '0',
    codes: '0',
    created_at: TIME,
    expires_at: TIME,
  },
  sign_in_codes: {
    email_key: ID,
    network: ID,
    hash: ID,
    id: ID,
    email: ID,
    code_id: ID,
    code_expires_at: TIME,
    code_tries: '0',
    codes: '0',
  },
  webhook_attempts: { delivery_id: ID, attempt: '1', at: TIME, duration_ms: '100', status: '200' },
  failed_attempts: { key: ID, failures: '1', wait_until: TIME, touched_at: TIME, admitted: '1' },
};

/** Returns values for the columns that the registry of tables of users names. */
function readRegistry({ key, exported: { columns } }: UserTable): Record<string, string> {
  const values = Object.entries(columns).map(([name, schema]) => {
    if (name.endsWith('_at')) return [name, TIME];
    const { enum: kinds } = schema as { readonly enum?: readonly string[] };
    return [name, kinds === undefined ? ID : `'${kinds[0]}'`];
  });
  const keys = ['user_id', ...key.split(', ')].map((name) => [name, ID]);
  return Object.fromEntries([...keys, ...values]);
}

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...FURTHER_VALUES,
  ...Object.fromEntries(
    USER_TABLES.map((table) => [table.name, { ...readRegistry(table), ...FURTHER_VALUES[table.name] }]),
  ),
};

/** Tables that get rows. */
export const SAMPLED_TABLES: readonly string[] = Object.keys(VALUES);

let inserted = ROWS;

/** Inserts a row of a user into a table of the registry. */
export async function insertSampleRow(tx: Tx, table: string, userId: string): Promise<void> {
  if (table === 'form_submissions') await tx.run(sql(FORM));
  if (['authorization_codes', 'device_authorizations'].includes(table)) await tx.run(sql(APPLICATION));
  const columns = { ...VALUES[table], user_id: '$1' };
  const values = Object.values(columns).join(', ');
  await tx.run(
    sql(
      `insert into ${table} (${Object.keys(columns).join(', ')}) with n (i) as (select ${++inserted}) select ${values} from n`,
    ),
    userId,
  );
}

export function insertSampleRows(database: Database): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.run(sql(ENDPOINTS), new Uint8Array(1));
    await tx.run(sql(FORM));
    await tx.run(sql(APPLICATION));
    await tx.run(sql(PROVIDER), new Uint8Array(1));
    for (const [table, columns] of Object.entries(VALUES)) {
      const names = Object.keys(columns).join(', ');
      const values = Object.values(columns).join(', ');
      await tx.run(sql(`insert into ${table} (${names}) ${NUMBERS} select ${values} from n`));
    }
  });
}
