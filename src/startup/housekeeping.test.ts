import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { insertTestEvents, numberAllEvents } from '../../test/support/events.ts';
import { pluck } from '../../test/support/pluck.ts';
import { describeStorage } from '../../test/support/runner/engines.ts';
import { useService } from '../../test/support/service.ts';
import { insertTestToken, insertTestUser } from '../../test/support/users.ts';
import { type Database, type Statement, sql, type Tx } from '../database/database.ts';
import { recordActiveUsers } from '../features/activity/active-users/active-users.ts';
import { addFailedLogins } from '../features/activity/queries.ts';
import { insertSession } from '../features/console-sessions/queries.ts';
import { readChain } from '../features/events/queries.ts';
import { recordEvent } from '../features/events/record-event.ts';
import { enqueueMail } from '../features/mail/enqueue-mail.ts';
import { createLink, LINK_LIFETIME_MS } from '../features/mail/links/links.ts';
import { insertEnded } from '../features/mail/messages/queries.ts';
import { lockRecipient } from '../features/mail/queries.ts';
import { insertCode } from '../features/oauth/queries.ts';
import { openSignInCode } from '../features/people/sign-in/mailed-code-queries.ts';
import {
  insertChallenge,
  insertSession as insertSignInSession,
  storeNetwork,
  writeShown,
} from '../features/people/sign-in/queries.ts';
import { insertToken } from '../features/people/tokens/queries.ts';
import { findUser } from '../features/users/records/queries.ts';
import { claimRequest, completeClaim } from '../idempotency/queries.ts';
import { createLog } from '../lib/log/log.ts';
import { newId } from '../lib/secrets/ids.ts';
import { DAY, HOUR, MINUTE, toDayNumber } from '../lib/time.ts';
import { startHousekeeping } from './housekeeping.ts';

const NOW = Date.UTC(2026, 2, 31, 12);
const OPTIONS = {
  clock: () => NOW,
  logger: createLog('silent'),
  settings: { current: { unclaimedUsersDays: 7, eventsDays: 180 } },
};

const MINUTES = sql<{ value: number }>('select minute as value from failed_logins order by minute');
const HASHES = sql<{ value: string }>('select hash as value from tokens where user_id = $1');

const ADD_LIMIT = sql('insert into rate_limits (key, tat, touched_at, allowed) values ($1, $2, $2, 1)');
const ADD_FAILED_ATTEMPT = sql(`
  insert into failed_attempts (key, failures, wait_until, touched_at, admitted) values ($1, 1, $2, $2, 1)`);

const ADD_APPLICATION = sql(`
  insert into applications (id, name, name_key, kind, redirect_uris, post_logout_redirect_uris, scopes, id_token_alg,
    created_at, updated_at, version) values ($1, $1, $1, 'web', '[]', '[]', '', 'ES256', $2, $2, 1)`);

/** Stores rows on both sides of the time at which they are deleted. */
interface Deleted {
  readonly store: (tx: Tx, userId: string) => Promise<void>;
  /** Statement that reads what is left, and its values. */
  readonly kept: readonly (readonly [Statement<{ value: string | number }>, readonly (string | number)[]])[];
}

const values = (column: string, table: string, condition = '') =>
  sql<{ value: string | number }>(`select ${column} as value from ${table} ${condition} order by ${column}`);
const [DAY_NUMBER, MINUTE_NUMBER] = [toDayNumber(NOW) - 90, NOW / MINUTE - 90 * 24 * 60];

/** A session on hosted pages that was used last at this time. */
const toSession = (id: string, user_id: string, at: number) => ({
  ...{ id, hash: id, user_id, amr: 'pwd', device: null, network: null, form_hash: null, form_nonce: '' },
  ...{ authenticated_at: at, created_at: at, last_used_at: at, expires_at: NOW + DAY },
});

const DELETED: Readonly<Record<string, Deleted>> = {
  'statistics after 90 days': {
    async store(tx, id) {
      for (const step of [-1, 0, 1]) {
        await recordActiveUsers(tx, (DAY_NUMBER + step) * DAY, [id]);
        await addFailedLogins(tx, [[MINUTE_NUMBER + step, 1]]);
      }
    },
    kept: [
      [values('day', 'user_activity'), [DAY_NUMBER, DAY_NUMBER + 1]],
      [MINUTES, [MINUTE_NUMBER, MINUTE_NUMBER + 1]],
    ],
  },
  'expired idempotency claims, completed or not': {
    async store(tx) {
      for (const expiresAt of [NOW - 1, NOW, NOW + 1, NOW + 2]) {
        const id = newId();
        const identity = { route: 'POST /', keyHash: id, scope: id, origin: id, fingerprint: id };
        await claimRequest(tx, { id, ...identity, now: 0, leaseUntil: NOW, expiresAt });
        if (expiresAt % 2 === 0) await completeClaim(tx, id, { salt: Buffer.of(1), sealed: Buffer.of(2) });
      }
    },
    kept: [[values('expires_at', 'idempotency_keys'), [NOW + 1, NOW + 2]]],
  },
  'the networks of a user after 180 days without a login': {
    async store(tx, userId) {
      await storeNetwork(tx, { userId, network: 'old', now: NOW - 180 * DAY - 1 });
      await storeNetwork(tx, { userId, network: 'recent', now: NOW - 180 * DAY });
    },
    kept: [[values('network', 'known_networks'), ['recent']]],
  },
  'sign-in sessions 12 hours after their last use, and logins that waited for a code': {
    async store(tx, userId) {
      for (const [hash, age] of [
        ['old', 12 * HOUR],
        ['recent', 12 * HOUR - 1],
      ] as const) {
        await insertSignInSession(tx, toSession(hash, userId, NOW - age));
        await insertChallenge(tx, { hash, userId, amr: 'pwd', expiresAt: NOW + 12 * HOUR - age });
      }
    },
    kept: [
      [values('id', 'sign_in_sessions'), ['recent']],
      [values('hash', 'sign_in_challenges'), ['recent']],
    ],
  },
  'sign-ins whose mailed code has expired': {
    async store(tx) {
      for (const [id, at] of [
        ['expired', NOW],
        ['waiting', NOW + 1],
      ] as const)
        await openSignInCode(tx, { id, hash: id, email: id, email_key: id, network: id, name: null }, at);
    },
    kept: [[values('id', 'sign_in_codes'), ['waiting']]],
  },
  'what sessions are not shown any more': {
    async store(tx, userId) {
      for (const [id, until] of [
        ['shown before', NOW],
        ['shown', NOW + 1],
      ] as const) {
        await insertSignInSession(tx, toSession(id, userId, NOW));
        await writeShown(tx, { id, shown: Buffer.of(1), until });
      }
    },
    kept: [[values('id', 'sign_in_sessions', 'where shown is not null'), ['shown']]],
  },
  'messages and links that have expired': {
    async store(tx, userId) {
      const user = { userId, email: 'ada@example.com' };
      for (const expired of [NOW - 1, NOW, NOW + 1]) {
        await enqueueMail(tx, { kind: 'password_changed', ...user, now: expired - 3 * DAY });
        const created = expired - LINK_LIFETIME_MS.verify_email;
        await createLink(tx, { kind: 'verify_email', ...user, now: created });
      }
      await enqueueMail(tx, { kind: 'reset_password', ...user, now: NOW - 60 * MINUTE });
    },
    kept: [
      [values('expires_at', 'jobs'), [NOW + 1]],
      [values('expires_at', 'account_links'), [NOW + 1]],
    ],
  },
  'messages that have ended after 30 days, and their texts after a day': {
    async store(tx, user_id) {
      const rest = {
        kind: 'reset_password',
        user_id,
        email: 'ended',
        email_key: 'ended',
        state: 'sent',
      } as const;
      for (const [id, created_at, ended_at] of [
        ['old', NOW - 30 * DAY - 1, NOW],
        ['without text', NOW - 30 * DAY, NOW - DAY - 1],
        ['with text', NOW - DAY, NOW - DAY],
      ] as const) {
        const end = { reason: null, attempts: 1, last_error: null, data: null, content: Buffer.of(1) };
        await insertEnded(tx, { id, ...rest, ...end, created_at, ended_at });
      }
    },
    kept: [
      [values('id', 'mail_messages', "where email_key = 'ended'"), ['with text', 'without text']],
      [values('id', 'mail_messages', 'where content is not null'), ['with text']],
    ],
  },
  'authorization codes a minute after they have expired': {
    async store(tx, user_id) {
      const application_id = newId();
      await tx.run(ADD_APPLICATION, application_id, NOW);
      await insertSignInSession(tx, toSession('with codes', user_id, NOW));
      const code = { application_id, user_id, session_id: 'with codes', redirect_uri: '', challenge: '' };
      const rest = { scopes: '', nonce: null, amr: 'pwd', authenticated_at: NOW, created_at: NOW };
      for (const [hash, expires_at] of [
        ['old', NOW - MINUTE - 1],
        ['recent', NOW - MINUTE],
      ] as const)
        assert.ok(await insertCode(tx, { hash, ...code, ...rest, expires_at }));
    },
    kept: [[values('hash', 'authorization_codes'), ['recent']]],
  },
  'recipients of messages a day after the last one': {
    async store(tx) {
      await lockRecipient(tx, 'old', NOW - DAY);
      await lockRecipient(tx, 'recent', NOW - DAY + 1);
    },
    kept: [[values('recipient', 'mail_recipients'), ['recent']]],
  },
  'console sessions 12 hours after the sign-in, and 30 minutes after their last use': {
    async store(tx) {
      for (const [hash, created_at, expires_at] of [
        ['expired', NOW - MINUTE, NOW],
        ['unused', NOW - 30 * MINUTE, NOW + DAY],
        ['live', NOW - 30 * MINUTE + 1, NOW + 1],
      ] as const)
        await insertSession(tx, { hash, credential: 'a fingerprint', created_at, expires_at });
    },
    kept: [[values('hash', 'console_sessions'), ['live']]],
  },
  'rate limits that are no longer used up, and failed attempts after 30 days': {
    async store(tx) {
      await tx.run(ADD_LIMIT, 'full', NOW - 1);
      await tx.run(ADD_LIMIT, 'used', NOW + 1);
      await tx.run(ADD_FAILED_ATTEMPT, 'old', NOW - 30 * DAY - 1);
      await tx.run(ADD_FAILED_ATTEMPT, 'recent', NOW - 30 * DAY + 1);
    },
    kept: [
      [values('key', 'rate_limits'), ['used']],
      [values('key', 'failed_attempts'), ['recent']],
    ],
  },
};

describeStorage('housekeeping', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const stored = async (statement: Statement<{ value: string | number }>) =>
    (await service.database.all(statement)).map(({ value }) => value);

  /** Deletes all rows that have expired at NOW. */
  async function runAtNow(): Promise<void> {
    await startHousekeeping(database, OPTIONS).run();
  }

  test('housekeeping deletes expired tokens and keeps the others', async () => {
    const { id } = await insertTestUser(database);
    await insertTestToken(database, id, { expiresAt: NOW - 1 });
    await insertTestToken(database, id, { expiresAt: NOW });
    const live = await insertTestToken(database, id, { expiresAt: NOW + 1 });
    await runAtNow();
    const left = await database.all(HASHES, id);
    assert.deepEqual(pluck(left, 'value'), [live.hash]);
  });

  /** Inserts more expired tokens of a user than fit into one batch. */
  async function storeExpiredTokens(userId: string): Promise<void> {
    const rest = {
      userId,
      name: 'auth_token',
      first_characters: null,
      scopes: '',
      created_at: 0,
      expires_at: NOW,
    };
    await service.database.transaction(async (tx) => {
      for (let count = 0; count < 1_001; count++)
        await insertToken(tx, { ...rest, id: newId(), hash: newId() });
    });
  }

  test('housekeeping stops after the current batch when it is closed', async () => {
    const { id } = await insertTestUser(database);
    await storeExpiredTokens(id);
    const closeAfterBatch: Database['transaction'] = async (work) => {
      const rows = await database.transaction(work);
      if (rows === 500) void housekeeping.close();
      return rows;
    };
    const housekeeping = startHousekeeping({ ...database, transaction: closeAfterBatch }, OPTIONS);
    await housekeeping.run();
    assert.equal((await database.all(HASHES, id)).length, 501);
  });

  test('housekeeping logs a step that fails with its name, and runs the others', async () => {
    const { id } = await insertTestUser(database);
    await storeExpiredTokens(id);
    const rename = (from: string, to: string) =>
      database.transaction((tx) => tx.run(sql(`alter table ${from} rename to ${to}`)));
    const log: string[] = [];
    const logger = createLog('info', { write: (line: string) => void log.push(line) });
    await database.transaction((tx) => addFailedLogins(tx, [[0, 1]]));
    await rename('idempotency_keys', 'renamed');
    await startHousekeeping(database, { ...OPTIONS, logger }).run();
    await rename('renamed', 'idempotency_keys');
    const failed = log
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level >= 40)
      .map(({ level, step }) => ({ level, step }));
    assert.deepEqual(failed, [{ level: 40, step: 'stored responses' }]);
    assert.deepEqual(await database.all(HASHES, id), [], 'a step before the failed one');
    assert.deepEqual(await stored(MINUTES), [], 'a step after the failed one');
  });

  test('housekeeping deletes at most 50 events in a transaction, because each is in indexes of many pages', async () => {
    await insertTestEvents(database, (await insertTestUser(database)).id, 120);
    await numberAllEvents(database);
    const deleted: number[] = [];
    const count = (tx: Tx): Tx => ({
      ...tx,
      run: async (statement, ...values) => {
        const rows = await tx.run(statement, ...values);
        if (statement.text.includes('delete from events ')) deleted.push(rows);
        return rows;
      },
    });
    const transaction: Database['transaction'] = (work) => database.transaction((tx) => work(count(tx)));
    await startHousekeeping({ ...database, transaction }, OPTIONS).run();
    assert.deepEqual(deleted, [50, 50, 20]);
  });

  test('housekeeping logs the number and the digest of the last event each time', async () => {
    await database.transaction((tx) => recordEvent(tx, { type: 'users.exported', now: NOW }));
    await numberAllEvents(database);
    const log: Record<string, unknown>[] = [];
    const logger = createLog('info', { write: (line: string) => void log.push(JSON.parse(line)) });
    let now = NOW;
    const housekeeping = startHousekeeping(database, { ...OPTIONS, clock: () => now, logger });
    for (now of [NOW, NOW + HOUR]) await housekeeping.run();
    await housekeeping.close();
    const { number, digest } = await readChain(database);
    const heads = log.filter(({ event_number }) => event_number !== undefined);
    assert.deepEqual(
      heads.map(({ event_number, event_digest }) => [event_number, event_digest]),
      [
        [number, digest],
        [number, digest],
      ],
    );
  });

  test('housekeeping purges the index of the search once a day, and again after a failure', async () => {
    let purged = 0;
    const purge = async () => {
      purged++;
      if (purged === 1) throw new Error('the first one fails');
    };
    const textSearch = { ...database.textSearch, purge };
    let now = NOW;
    const housekeeping = startHousekeeping({ ...database, textSearch }, { ...OPTIONS, clock: () => now });
    const counts: number[] = [];
    for (now of [NOW, NOW + HOUR, NOW + 2 * HOUR, NOW + DAY]) {
      await housekeeping.run();
      counts.push(purged);
    }
    await housekeeping.close();
    assert.deepEqual(counts, [1, 2, 2, 3]);
  });

  test('housekeeping deletes users that anonymous callers created after the set days and keeps all others', async () => {
    const yearAgo = { createdAt: NOW - 365 * DAY };
    const anonymous = { state: 'unclaimed', ownsEmail: false } as const;
    const expired = await insertTestUser(database, { ...anonymous, createdAt: NOW - 7 * DAY - 1 });
    const remaining = [
      await insertTestUser(database, { ...anonymous, createdAt: NOW - 7 * DAY }),
      await insertTestUser(database, { ...yearAgo, state: 'unclaimed' }),
      await insertTestUser(database, { ...yearAgo, state: 'active' }),
      await insertTestUser(database, { ...yearAgo, state: 'disabled' }),
    ];
    await runAtNow();
    assert.equal(await findUser(database, expired.id), undefined);
    for (const { id } of remaining) assert.notEqual(await findUser(database, id), undefined);
  });

  for (const [title, { store, kept }] of Object.entries(DELETED))
    test(`housekeeping deletes ${title}`, async () => {
      const { id } = await insertTestUser(database);
      await database.transaction((tx) => store(tx, id));
      await runAtNow();
      for (const [statement, expected] of kept) assert.deepEqual(await stored(statement), expected);
    });

  if (engine === 'postgres') return;

  test('housekeeping lets other work of the event loop run between two batches', async () => {
    const { id } = await insertTestUser(service.database);
    await storeExpiredTokens(id);
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await runAtNow();
    clearImmediate(next);
    assert.ok(turns >= 2);
  });

  test('housekeeping runs 30 to 60 seconds after the start, then every 54 to 66 minutes, differently on each node', async () => {
    const delays: number[][] = [];
    for (let node = 0; node < 20; node++) {
      const planned: { work: () => void; milliseconds: number }[] = [];
      let runs = 0;
      const housekeeping = startHousekeeping(database, {
        ...OPTIONS,
        clock: () => ++runs && NOW,
        schedule: (work, milliseconds) => {
          planned.push({ work, milliseconds });
          return () => {};
        },
      });
      for (let run = 0; run < 2; run++) planned.at(-1)!.work();
      await nextTurn();
      await housekeeping.close();
      assert.equal(runs, 2);
      delays.push(planned.map(({ milliseconds }) => milliseconds));
    }
    for (const [first = 0, ...later] of delays) {
      assert.ok(first >= MINUTE / 2 && first <= MINUTE, `${first}`);
      assert.equal(later.length, 2);
      for (const each of later) assert.ok(each >= 54 * MINUTE && each <= 66 * MINUTE, `${each}`);
    }
    for (const index of [0, 1]) assert.ok(new Set(delays.map((each) => each[index])).size > 1, 'random');
  });

  test('housekeeping does not run again after it was closed', async () => {
    let isCancelled = false;
    const schedule = () => () => {
      isCancelled = true;
    };
    await startHousekeeping(service.database, { ...OPTIONS, schedule }).close();
    assert.equal(isCancelled, true);
  });
});
