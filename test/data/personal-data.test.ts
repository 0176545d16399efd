/** Data that is stored about a person: the export contains it, and an erasure deletes it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { recordActiveUsers } from '../../src/features/activity/active-users/active-users.ts';
import { USER_TABLES } from '../../src/features/people/personal-data/user-tables.ts';
import { numberAllEvents } from '../support/events.ts';
import { pluck } from '../support/pluck.ts';
import type { Planner } from '../support/query-plans/planner.ts';
import { postgresPlanner } from '../support/query-plans/postgres-plans.ts';
import { insertSampleRow } from '../support/query-plans/sample-rows.ts';
import { sqlitePlanner } from '../support/query-plans/sqlite-plans.ts';
import { describeStorage } from '../support/runner/engines.ts';
import { admin, newUserData, useService } from '../support/service.ts';
import { assertExactFigures } from '../support/statistics/statistics.ts';
import { enrolUser } from '../support/user-totp.ts';

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** Where the export has the rows of a table, and why it has not all of their columns under the same name. */
interface Exported {
  readonly member: string;
  readonly omitted: Readonly<Record<string, string>>;
}

const OWNER = 'is the id of the exported user';
const SECRET = 'is a hash of a secret, or a part of one';
const DERIVED = 'is derived from another column';
const INTERNAL = 'says nothing about the user';
const NOT_MAIL = 'is null in rows of users';

/** Columns that the export of a table of the registry omits besides its key. */
const OMITTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  jobs: {
    email_key: DERIVED,
    data: 'is exported as new_email',
    attempts: INTERNAL,
    priority: INTERNAL,
    origin: INTERNAL,
    next_attempt_at: INTERNAL,
    leased_until: INTERNAL,
    queue: INTERNAL,
    endpoint_id: NOT_MAIL,
    last_error: 'has codes of the mail server only',
  },
  mail_messages: {
    email_key: DERIVED,
    reason: INTERNAL,
    attempts: INTERNAL,
    last_error: 'has codes of the mail server only',
    data: 'has the language, and what the message shows of the record',
    content: 'is kept encrypted for a day where messages are written to the log',
  },
  form_submissions: { held: INTERNAL, held_reason: INTERNAL, network: 'is null in submissions of users' },
  group_members: { user_created_at: 'is exported as user.created_at' },
  sign_in_sessions: {
    hash: SECRET,
    shown: 'is kept encrypted for minutes',
    shown_until: INTERNAL,
    form_hash: SECRET,
    form_nonce: SECRET,
  },
  authorization_codes: {
    session_id: 'is an id of a session, which no list has',
    challenge: 'is a hash of a secret of the application',
    nonce: 'is a random text of the application',
  },
  device_authorizations: {
    user_code_hash: SECRET,
    session_id: 'is an id of a session, which no list has',
    interval_seconds: INTERNAL,
    polled_at: INTERNAL,
  },
  sign_in_challenges: { tries: INTERNAL },
  passkeys: {
    counter: INTERNAL,
    backup_eligible: INTERNAL,
    backed_up: INTERNAL,
  },
  passkey_challenges: { binding: SECRET },
  idempotency_keys: {
    key_hash: SECRET,
    scope: OWNER,
    origin: 'is a keyed hash, or the scope',
    fingerprint: 'is a keyed hash',
    state: INTERNAL,
    lease_until: INTERNAL,
    salt: INTERNAL,
    sealed: 'can be decrypted only with the key of the request',
    token_hash: SECRET,
  },
};

/** The table of users, and each table with a foreign key to it. A new one has to be exported, or not to be personal. */
const EXPORTED: Readonly<Record<string, Exported>> = {
  users: {
    member: 'user',
    omitted: {
      password_hash: 'is exported as has_password',
      email_key: DERIVED,
      name_key: DERIVED,
      metadata_generation: INTERNAL,
      owns_email: INTERNAL,
      requested_email: 'is kept for a day, and shown in the account',
      requested_email_until: INTERNAL,
    },
  },
  tokens: {
    member: 'tokens',
    omitted: {
      hash: SECRET,
      user_id: OWNER,
      rotated_at: INTERNAL,
      session_id: INTERNAL,
      family_id: INTERNAL,
    },
  },
  user_totp: {
    member: 'user',
    omitted: { user_id: OWNER, secret: SECRET, last_step: 'says only that the app was used' },
  },
  passkey_handles: {
    member: 'user',
    omitted: { user_id: OWNER, handle: 'is a random text for authenticators' },
  },
  user_recovery_codes: { member: 'user', omitted: { user_id: OWNER, hash: SECRET } },
  user_texts: { member: 'user', omitted: { user_id: OWNER, content: DERIVED } },
  user_metadata_keys: { member: 'user', omitted: { user_id: OWNER, member: DERIVED, value_key: DERIVED } },
  events: {
    member: 'events',
    omitted: {
      created_at: 'is exported as time',
      actor_id: 'is exported as actor',
      data: 'is exported as changes and details',
      network: 'is exported as address',
      number: INTERNAL,
      content_hash: DERIVED,
      network_hash: DERIVED,
      device_hash: DERIVED,
      digest: DERIVED,
      mark: DERIVED,
    },
  },
  user_activity: {
    member: 'active_days',
    omitted: {
      user_id: OWNER,
      day: 'is exported as a date',
      hour: 'is that of an earlier release, which compared hours of figures',
      previous_day: DERIVED,
    },
  },
  ...Object.fromEntries(
    USER_TABLES.map(({ name, key, exported: { member, columns } }) => {
      const hidden = key.split(', ').filter((column) => !Object.hasOwn(columns, column));
      const keys = hidden.map((column) => [column, INTERNAL]);
      return [name, { member, omitted: { ...Object.fromEntries(keys), user_id: OWNER, ...OMITTED[name] } }];
    }),
  ),
};

/** Numbers of the events of a user, which no export needs. */
const COUNTED = ['event_counts', 'event_subjects'];

describeStorage('personal data', (engine) => {
  const service = useService(engine);
  let tables: readonly string[];
  /** Those that refer to users, and that of users. */
  let personalTables: readonly string[];
  before(async () => {
    const { url, directory } = service.testDatabase;
    const sqlite = () => sqlitePlanner(join(directory, 'frontdesk.db'));
    const planner: Planner = url === null ? sqlite() : await postgresPlanner(url);
    tables = await planner.tables();
    const keys = await planner.foreignKeys();
    await planner.close();
    const referring = keys.filter(({ column }) => column === 'user_id').map(({ table }) => table);
    personalTables = [...new Set(['users', 'events', ...referring])].sort();
  });

  /** Registers a person with rows in every table. */
  async function registerInEveryTable() {
    const { api } = service;
    const { database } = service;
    const person = { ...newUserData(), name: `Augusta Ada ${crypto.randomUUID()}` };
    const withKey = (token?: string) => ({
      headers: { 'idempotency-key': `key-of-${person.email}` },
      ...(token === undefined ? {} : { token }),
    });
    const registered = await api.post('/api/register', person, withKey());
    const id = registered.headers.get('location')!.replace('/api/v1/users/', '');
    assert.equal((await api.post('/api/login', person)).status, 200);
    const token: string = registered.body.access_token;
    await enrolUser(service, { ...person, id, token }, Date.now());
    assert.equal((await api.post('/api/v1/users', {}, withKey(token))).status, 201);
    await database.transaction((tx) => recordActiveUsers(tx, Date.now(), [id]));
    const newEmail = `new-${person.email}`;
    const user_metadata = { city: 'London' };
    const change = { email: newEmail, current_password: person.password, user_metadata };
    assert.equal((await api.patch('/api/v1/me', change, { token })).status, 200);
    await api.post('/api/v1/password-resets', { email: person.email.toUpperCase() });
    await cancelMessage(person.email);
    await database.transaction(async (tx) => {
      for (const { name } of USER_TABLES) if (!(await hasRows(name, id))) await insertSampleRow(tx, name, id);
      await tx.run(sql('insert into passkey_handles (user_id, handle) values ($1, $1)'), id);
    });
    return { ...person, id, token, newEmail };
  }

  /** So that one of the messages has ended. */
  async function cancelMessage(email: string): Promise<void> {
    const { body } = await service.api.get(`/api/v1/admin/mail?recipient=${email}`, admin);
    const { id } = body.data.find(({ kind }: { kind: string }) => kind === 'verify_email');
    assert.equal((await service.api.post(`/api/v1/admin/mail/${id}/cancel`, undefined, admin)).status, 200);
  }

  const hasRows = async (table: string, userId: string) =>
    (await service.database.get(sql(`select 1 from ${table} where user_id = $1`), userId)) !== undefined;

  const listRows = (table: string) => service.database.all(sql<Row>(`select * from ${table}`));
  const toText = (row: Row) =>
    Object.values(row)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join('\n')
      .toLowerCase();

  /** Returns the tables with a row that contains one of the texts, in any case. */
  async function tablesWith(...texts: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const table of tables) {
      const rows = (await listRows(table)).map(toText);
      if (texts.some((text) => rows.some((row) => row.includes(text.toLowerCase())))) found.push(table);
    }
    return found.sort();
  }

  test('personal data is exported from every table that refers to users, with all columns except the listed ones', async () => {
    assert.deepEqual(personalTables, Object.keys(EXPORTED).sort());
    const { token } = await registerInEveryTable();
    const { status, body } = await service.api.get('/api/v1/me/export', { token });
    assert.equal(status, 200);
    for (const [table, { member, omitted }] of Object.entries(EXPORTED)) {
      const [element] = [body[member]].flat();
      assert.notEqual(element, undefined, `${member} is empty`);
      const exported = typeof element === 'object' ? Object.keys(element) : [];
      const [row] = await listRows(table);
      const missing = Object.keys(row!).filter((column) => !exported.includes(column));
      assert.deepEqual(missing.sort(), Object.keys(omitted).sort(), table);
    }
    const members = Object.values(EXPORTED).map(({ member }) => member);
    const expected = ['exported_at', ...new Set(members)];
    assert.deepEqual(Object.keys(body).sort(), expected.sort());
  });

  for (const eraser of ['the user', 'the administrator'] as const) {
    test(`personal data of a person that ${eraser} erased is in no table, and the id in events only`, async () => {
      const { api } = service;
      const { id, name, email, newEmail, token, password } = await registerInEveryTable();
      const other = await registerInEveryTable();
      await numberAllEvents(service.database);
      assert.deepEqual(await tablesWith(id), [...personalTables, ...COUNTED].sort(), 'rows of the person');
      const { status } =
        eraser === 'the user'
          ? await api.delete('/api/v1/me', { token, body: { current_password: password } })
          : await api.delete(`/api/v1/users/${id}`, admin);
      assert.equal(status, 204);
      await numberAllEvents(service.database);
      assert.deepEqual(await tablesWith(email, newEmail, name), []);
      assert.deepEqual(await tablesWith(id), ['events']);
      const events = (await listRows('events')).filter(({ subject }) => subject === `user:${id}`);
      const isOfPerson = ({ network, device }: Row) => network !== null || device !== null;
      const expected = eraser === 'the user' ? [] : ['user.erased'];
      assert.deepEqual(pluck(events.filter(isOfPerson), 'type'), expected, 'of the administrator');
      const kept = [...personalTables, ...COUNTED].sort();
      assert.deepEqual(await tablesWith(other.id), kept, 'other users keep theirs');
      await assertExactFigures(service.database);
      assert.equal((await api.get('/api/v1/me', { token })).status, 401);
      assert.equal((await api.post('/api/register', { name, email, password })).status, 201);
    });
  }
});
