import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../../test/support/events.ts';
import {
  FORMS,
  insertTestSubmissions,
  NAME_FIELD,
  publishNextVersion,
  publishTestForm,
} from '../../../../test/support/forms.ts';
import { fromIp, newClientIp } from '../../../../test/support/limits.ts';
import { describeOnEachEngine, describeOnPostgres } from '../../../../test/support/runner/engines.ts';
import { admin, type TestService, useService, useSharedService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { insertLoggedInUser } from '../../../../test/support/users.ts';
import { type Database, DatabaseUnavailable, sql, type Tx } from '../../../database/database.ts';
import { DAY } from '../../../lib/time.ts';
import { createGetPublishedForm } from '../definitions/definition.ts';
import { deleteExpiredSubmissions } from './change-submissions.ts';
import { forgetAllAccepted, type HeldReason } from './queries.ts';
import { prepareSubmission } from './receive-submission.ts';

const ANSWERS = { full_name: 'Ada' };
const getId = (path: string) => path.slice(`${FORMS}/`.length);
const repeat = (count: number) => Array.from({ length: count }, () => ANSWERS);

/** Returns the function that stores a submission of an address, held if it looks like spam. */
async function prepare(database: Database, path: string, clientIp: string, suspicion: HeldReason | null) {
  const form = await createGetPublishedForm(database)(getId(path));
  const deps = { database, clock: Date.now, countSubmission: () => false };
  const answers = new Map(Object.entries(ANSWERS));
  return prepareSubmission(deps, { form, answers, caller: { kind: 'anonymous' }, clientIp, suspicion });
}

/** Repeats a transaction for which a busy machine had no connection to the database. */
async function storeUntilDecided(database: Database, store: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return database.transaction(store).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return storeUntilDecided(database, store);
    throw error;
  });
}

/** Sends submissions that look like spam, all at once, and returns how many were stored and the codes of the others. */
async function hold({ service: { database } }: TestService, path: string, addresses: readonly string[]) {
  const stores = await Promise.all(addresses.map((address) => prepare(database, path, address, 'decoy')));
  const outcomes = await Promise.allSettled(stores.map((store) => storeUntilDecided(database, store)));
  const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  return { stored: outcomes.length - codes.length, codes: [...new Set(codes)] };
}

const TOO_MANY = ['rate_limited_submission'];

describeOnEachEngine('bounds of held submissions', (engine) => {
  const service = useSharedService(engine);
  const count = async (path: string) => (await service.api.get(path, admin)).body.data.submissions;

  test('a form holds 20 submissions of a network, also of 30 that come at once, and those of others', async () => {
    const path = await publishTestForm(service);
    const ofOne = Array.from({ length: 30 }, (_, index) => `2001:db8:7::${index}`);
    assert.deepEqual(await hold(service, path, ofOne), { stored: 20, codes: TOO_MANY });
    assert.deepEqual(await hold(service, path, ['192.0.2.1']), { stored: 1, codes: [] });
    assert.deepEqual(await hold(service, await publishTestForm(service), ofOne.slice(0, 1)), {
      ...{ stored: 1, codes: [] },
    });
    const [{ id }] = (await service.api.get(`${path}/submissions?held=only`, admin)).body.data.slice(-1);
    await service.api.post(`${path}/submissions/${id}/release`, undefined, admin);
    assert.deepEqual(await hold(service, path, ofOne), { stored: 1, codes: TOO_MANY });
    assert.deepEqual(await count(path), { accepted: 1, held: 21 });
  });

  test('a form holds 1,000 submissions, also of 40 that come at once, and accepts others', async () => {
    const path = await publishTestForm(service, { max_submissions: 1 });
    await insertTestSubmissions(service, path, { answers: repeat(980), held: 1 });
    const addresses = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`);
    assert.deepEqual(await hold(service, path, addresses), { stored: 20, codes: TOO_MANY });
    assert.equal((await service.api.post(`${path}/submissions`, { answers: ANSWERS })).status, 201);
    assert.deepEqual(await count(path), { accepted: 1, held: 1_000 });
  });

  test('the sender of a submission over the bounds learns that it is not stored, and when it may be', async () => {
    const path = await publishTestForm(service);
    await insertTestSubmissions(service, path, { answers: repeat(1_000), held: 1 });
    const submit = () => service.api.post(`${path}/submissions`, { answers: ANSWERS }, fromIp('192.0.2.9'));
    for (let number = 0; number < 10; number++) assert.equal((await submit()).status, 201);
    const { status, body, headers } = await submit();
    assert.deepEqual([status, headers.get('retry-after')], [429, '60']);
    assert.deepEqual(body, {
      error: 'Too many submissions: this one is not stored',
      code: 'rate_limited_submission',
    });
  });
});

describeOnEachEngine('the number of accepted submissions', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const submit = async (path: string, options: object = {}) =>
    (await service.api.post(`${path}/submissions`, { answers: ANSWERS }, options)).body.code ?? 'stored';

  test('a place is free again after an erasure, and after the form does not keep a submission any longer', async () => {
    const path = await publishTestForm(service, { max_submissions: 1, retention_days: 1 });
    const { id, token } = await insertLoggedInUser(service.database);
    assert.deepEqual([await submit(path, { token }), await submit(path)], ['stored', 'form_full']);
    assert.equal((await service.api.delete(`/api/v1/users/${id}`, admin)).status, 204);
    assert.deepEqual([await submit(path), await submit(path)], ['stored', 'form_full']);
    await database.transaction((tx) => deleteExpiredSubmissions(tx, Date.now() + 2 * DAY, 500));
    assert.deepEqual([await submit(path), await submit(path)], ['stored', 'form_full']);
  });

  test('a maximum counts the submissions that were stored without one', async () => {
    const path = await publishTestForm(service);
    await submit(path);
    const change = (max_submissions: number | null) =>
      publishNextVersion(service, path, { title: 'Contact', fields: [NAME_FIELD], max_submissions });
    await change(2);
    assert.deepEqual([await submit(path), await submit(path)], ['stored', 'form_full']);
    await change(null);
    assert.equal(await submit(path), 'stored');
    await change(4);
    assert.deepEqual([await submit(path), await submit(path)], ['stored', 'form_full']);
  });

  test('submissions that a node of an earlier release has stored are counted after the next housekeeping', async () => {
    const path = await publishTestForm(service, { max_submissions: 3 });
    await submit(path);
    await insertTestSubmissions(service, path, { answers: repeat(2) });
    await service.database.transaction((tx) => forgetAllAccepted(tx));
    assert.equal(await submit(path), 'form_full');
  });

  test('deletions and submissions at the same time leave as many as the form accepts', async () => {
    const path = await publishTestForm(service, { max_submissions: 10 });
    await insertTestSubmissions(service, path, { answers: repeat(10) });
    const { data } = (await service.api.get(`${path}/submissions`, admin)).body;
    const stores = await Promise.all(
      Array.from({ length: 20 }, () => prepare(database, path, '192.0.2.1', null)),
    );
    await Promise.allSettled([
      ...data.map(({ id }: { id: string }) => service.api.delete(`${path}/submissions/${id}`, admin)),
      ...stores.map((store) => database.transaction(store)),
    ]);
    // Each from a network of its own: more than ten of one would be held.
    for (let number = 0; number < 10; number++) await submit(path, fromIp(newClientIp()));
    const stored = (await service.api.get(`${path}/submissions?held=include&limit=100`, admin)).body.data;
    assert.equal(stored.filter(({ held }: { held: boolean }) => !held).length, 10);
  });
});

const SUBJECTS = sql<{ subjects: number }>('select count(*) as subjects from event_subjects');

describeOnEachEngine('events of many submissions', (engine) => {
  const service = useService(engine);

  test('submissions to a form are events of the form, and beyond 60 in an hour, they are counted', async () => {
    const { database } = service;
    const path = await publishTestForm(service);
    await numberAllEvents(database);
    const before = await database.get(SUBJECTS);
    for (let number = 0; number < 70; number++)
      await database.transaction(await prepare(database, path, '192.0.2.1', null));
    await numberAllEvents(database);
    assert.deepEqual(await database.get(SUBJECTS), before);
    const query = `subject=form:${getId(path)}&type=submission.received&limit=100`;
    const recorded = (await service.api.get(`/api/v1/events?${query}`, admin)).body.data.length;
    // On a shared database each of the slots of the count has its part of the 60.
    if (engine === 'sqlite') assert.equal(recorded, 60);
    else assert.ok(recorded <= 64);
  });
});

const WAITING = sql<{ waiting: number }>(`
  select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

describeOnPostgres('a submission that is deleted while another one counts it', () => {
  const service = useService('postgres');

  const DELETIONS: Readonly<Record<string, (path: string, ids: { user: string; own: string }) => string>> = {
    'a deletion': (path, { own }) => `${path}/submissions/${own}`,
    'an erasure': (_path, { user }) => `/api/v1/users/${user}`,
  };
  for (const [name, toUrl] of Object.entries(DELETIONS))
    test(`${name} waits for a submission that counts the places of the form, and frees its own`, async () => {
      const { database } = service;
      const path = await publishTestForm(service, { max_submissions: 2 });
      const { id: user, token } = await insertLoggedInUser(database);
      const { body } = await service.api.post(`${path}/submissions`, { answers: ANSWERS }, { token });
      await database.transaction((tx) => forgetAllAccepted(tx));
      const store = await prepare(database, path, '192.0.2.1', null);
      let deletion: Promise<unknown> | undefined;
      let hasEnded = false;
      await database.transaction(async (tx) => {
        await store(tx);
        deletion ??= service.api
          .delete(toUrl(path, { user, own: body.data.id }), admin)
          .finally(() => (hasEnded = true));
        await until(async () => hasEnded || (await database.get(WAITING))!.waiting > 0, 'the deletion');
      });
      await deletion;
      const statuses = [];
      for (let number = 0; number < 2; number++)
        statuses.push((await service.api.post(`${path}/submissions`, { answers: ANSWERS })).status);
      assert.deepEqual(statuses, [201, 409]);
    });
});

/** Of the transaction, including those of indexes: no row is visible to all before a vacuum. */
const READ_ROWS = sql<{ rows: number }>(`
  select cast(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as bigint) as rows
  from pg_stat_xact_user_tables where relname = 'form_submissions'`);

describeOnPostgres('the work of a submission', () => {
  const service = useService('postgres');

  for (const isSuspicious of [false, true])
    test(`a submission that is ${isSuspicious ? 'held' : 'accepted'} reads no more rows beside 1,100 held ones than the bounds`, async () => {
      const { database } = service;
      const path = await publishTestForm(service, { max_submissions: 100 });
      const storeFirst = await prepare(database, path, '192.0.2.1', null);
      await database.transaction(storeFirst);
      await insertTestSubmissions(service, path, { answers: repeat(1_100), held: 1 });
      const store = await prepare(database, path, '192.0.2.2', isSuspicious ? 'decoy' : null);
      let rows: number | undefined;
      await database.transaction(async (tx) => {
        await store(tx).catch(() => {});
        rows = (await tx.get(READ_ROWS))!.rows;
      });
      const bound = isSuspicious ? 1_000 : 1;
      assert.ok(rows !== undefined && rows <= bound, `${rows} rows`);
    });
});
