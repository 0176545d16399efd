import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeRole, createAdministrator, signInAs } from '../../../test/support/administrators.ts';
import { createApplication } from '../../../test/support/applications.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { publishTestForm } from '../../../test/support/forms.ts';
import { newKey } from '../../../test/support/keyed.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { createTestLink, listEvents, waitingMail } from '../../../test/support/processes/recovery.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { admin, startService, type TestService, useService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import {
  createUnclaimedUser,
  insertLoggedInUser,
  insertTestToken,
  insertTestUser,
  markEmailVerified,
  register,
} from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { DAY } from '../../lib/time.ts';
import { recordActiveUsers } from '../activity/active-users/active-users.ts';
import { insertGroup, insertMembers } from '../groups/queries.ts';
import { insertIdentity, listIdentities } from '../identity-providers/queries.ts';
import { writePendingErasure } from '../people/personal-data/delete-rows.ts';
import { finishErasures } from '../people/personal-data/erase-user.ts';
import { insertSession, writeShown } from '../people/sign-in/queries.ts';
import { insertToken } from '../people/tokens/queries.ts';
import { applyMerge } from './merge-users.ts';

const ENABLE_TOTP = sql('update users set totp_enabled_at = 1 where id = $1');
const INSERT_SUBMISSION = sql(`
  insert into form_submissions (id, form_id, version, received_at, held, user_id, answers)
  values ($1, $2, 1, 1, 0, $3, '{}')`);
const COUNT_SUBMISSIONS = sql<{ rows: number }>(
  'select count(*) as rows from form_submissions where user_id = $1',
);
const LIST_TOKENS = sql<{ id: string }>('select id from tokens where application_id = $1 order by id');
const COUNT_ALL_SUBMISSIONS = sql<{ rows: number }>(
  'select count(*) as rows from form_submissions where form_id = $1',
);

describeStorage('POST /api/v1/users/{id}/merge', (engine) => {
  const service = useService(engine);
  let second: TestService;
  before(async () => {
    second = await startService(engine, { testDatabase: service.testDatabase });
  });
  after(() => second.stop());
  const database = () => service.database;
  const toPath = ({ id }: { id: string }) => `/api/v1/users/${id}`;
  const merge = (
    target: { id: string },
    from: { id: string },
    {
      node = service,
      headers = {},
      ...choices
    }: Record<string, unknown> & { node?: TestService; headers?: object } = {},
  ) =>
    node.api.post(
      `${toPath(target)}/merge`,
      { from: from.id, ...choices },
      { ...admin, headers: { ...headers } },
    );
  const read = async (user: { id: string }) => (await service.api.get(toPath(user), admin)).body.data;
  const getStatus = async (user: { id: string }) => (await service.api.get(toPath(user), admin)).status;
  const submit = async (path: string, token: string, name = 'Ada') =>
    (await service.api.post(`${path}/submissions`, { answers: { full_name: name } }, { token })).status;
  const countSubmissions = async ({ id }: { id: string }) =>
    (await database().get(COUNT_SUBMISSIONS, id))!.rows;
  const link = async ({ id }: { id: string }) => {
    const times = { created_at: 1, last_used_at: 1 };
    const row = { id: newId(), user_id: id, issuer: 'https://issuer.example', subject: newId(), email: null };
    await database().transaction((tx) => insertIdentity(tx, { ...row, ...times }));
    return row.id;
  };
  const whoAmI = async (token: string) => (await service.api.get('/api/v1/me', { token })).body?.data?.id;
  const newPair = async () =>
    [await insertLoggedInUser(database()), await insertLoggedInUser(database())] as const;

  test('a merge takes over groups where it is chosen, with the scope groups:write, as many as a user may have', async () => {
    const createGroups = (count: number) =>
      database().transaction(async (tx) => {
        const ids = Array.from({ length: count }, newId);
        const times = { created_at: 1, updated_at: 1, version: 1 };
        for (const id of ids) await insertGroup(tx, { id, name: id, title: 'Group', ...times });
        return ids;
      });
    const createMember = async (ids: readonly string[]) => {
      const user = await insertTestUser(database());
      await database().transaction((tx) =>
        insertMembers(
          tx,
          ids.map((id) => [id, user.id]),
          1,
        ),
      );
      return user;
    };
    const ids = await createGroups(101);
    const target = await createMember(ids.slice(0, 2));
    assert.equal((await merge(target, await createMember([ids[2]!]))).status, 200);
    assert.deepEqual((await read(target)).groups, ids.slice(0, 2).sort(), 'by default');
    const from = await createMember(ids.slice(1, 4));
    const { secret } = await createCredential(service, ['users:write']);
    const body = { from: from.id, take: ['groups'] };
    const rejected = await service.api.post(`${toPath(target)}/merge`, body, { token: secret });
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_scope']);
    const merged = await merge(target, from, { take: ['groups'] });
    assert.deepEqual([merged.status, merged.body.data.groups], [200, ids.slice(0, 4).sort()]);
    const others = await createMember(ids.slice(4, 101));
    const conflict = await merge(target, others, { take: ['groups'] });
    assert.deepEqual([conflict.status, conflict.body.code], [409, 'user_state_conflict']);
    assert.equal((await read(others)).groups.length, 97, 'nothing has changed');
  });

  test('a merge without choices gives identities and submissions to the user, keeps their record, and erases the other one', async () => {
    const [ada, other] = await newPair();
    const form = await publishTestForm(service, { access: 'token' });
    assert.deepEqual([await submit(form, ada.token), await submit(form, other.token)], [201, 201]);
    const identity = await link(other);
    await database().transaction((tx) => recordActiveUsers(tx, Date.now(), [ada.id, other.id]));
    const before = await read(ada);
    const { status, body, headers } = await merge(ada, other);
    assert.equal(status, 200);
    const { version, updated_at } = body.data;
    assert.deepEqual(body.data, { ...before, version: before.version + 1, updated_at });
    assert.equal(headers.get('etag'), `"${version}"`);
    assert.equal(await getStatus(other), 404);
    assert.equal(await countSubmissions(ada), 2);
    assert.deepEqual(pluck(await listIdentities(database(), ada.id), 'id'), [identity]);
    assert.deepEqual([await whoAmI(ada.token), await whoAmI(other.token)], [ada.id, undefined]);
    await assertExactFigures(database());
  });

  test('a merge is one event of the user that names the other one, whose own events end with the erasure and without addresses', async () => {
    const [ada, other] = [await register(service), await register(service)];
    await merge(ada, other, { take: ['name'] });
    assert.deepEqual(await listEvents(service, ada.id), [
      'user.created by user',
      'user.merged by administrator',
    ]);
    const merged = (await service.api.get(`/api/v1/events?type=user.merged&subject=user:${ada.id}`, admin))
      .body.data;
    assert.deepEqual([merged[0].details, merged[0].changes], [{ from: other.id }, [{ name: 'name' }]]);
    assert.deepEqual(await listEvents(service, other.id), [
      'user.created by user',
      'user.erased by administrator',
    ]);
    const [, created] = (await service.api.get(`/api/v1/events?subject=user:${other.id}`, admin)).body.data;
    assert.deepEqual([created.address, created.device], [null, null]);
  });

  test('a merge takes over the chosen members, and none that the other record lacks', async () => {
    const [ada, other] = [
      await insertTestUser(database(), { level: 'gold', locale: 'de' }),
      await insertTestUser(database(), { level: null, locale: 'fr' }),
    ];
    await markEmailVerified(service, other.id);
    const { body } = await merge(ada, other, { take: ['name', 'email', 'level', 'locale'] });
    const { name, email, level, locale, email_verified_at } = body.data;
    assert.deepEqual([name, email, level, locale], [other.name, other.email, 'gold', 'fr']);
    assert.notEqual(email_verified_at, null);
    const found = await service.api.get(`/api/v1/users?search=${encodeURIComponent(other.email!)}`, admin);
    assert.deepEqual(pluck(found.body.data, 'id'), [ada.id]);
  });

  const METADATA = {
    keep: { own: 1, both: 'own' },
    take: { other: 2, both: 'other' },
    combine: { own: 1, other: 2, both: 'own' },
  };
  for (const [metadata, expected] of Object.entries(METADATA)) {
    test(`a merge with the metadata choice ${metadata} writes and indexes the metadata accordingly`, async () => {
      const write = (own: object) => ({ user_metadata: own, app_metadata: own });
      const ada = await createUnclaimedUser(service, write({ own: 1, both: 'own' }));
      const other = await createUnclaimedUser(service, write({ other: 2, both: 'other' }));
      const { body } = await merge(ada, other, { metadata });
      assert.deepEqual([body.data.user_metadata, body.data.app_metadata], [expected, expected]);
    });
  }

  test('a merge whose combined metadata is too large is rejected, and changes nothing', async () => {
    const ada = await createUnclaimedUser(service, { user_metadata: { own: 'a'.repeat(3_000) } });
    const other = await createUnclaimedUser(service, { user_metadata: { other: 'b'.repeat(3_000) } });
    const { status, body } = await merge(ada, other, { metadata: 'combine' });
    assert.deepEqual([status, Object.keys(body.errors)], [400, ['user_metadata']]);
    assert.deepEqual([await read(ada), await read(other)], [ada, other]);
  });

  test('a merge that takes sessions lets tokens of both act as the user, of whom the newest 50 stay', async () => {
    const [ada, other] = await newPair();
    for (let count = 0; count < 30; count++) await insertTestToken(database(), ada.id);
    for (let count = 0; count < 30; count++) await insertTestToken(database(), other.id);
    const newest = await insertTestToken(database(), other.id);
    assert.equal((await merge(ada, other, { take: ['sessions'] })).status, 200);
    assert.deepEqual([await whoAmI(newest.token), await whoAmI(ada.token)], [ada.id, undefined]);
    const { data } = (await service.api.get(`${toPath(ada)}/tokens`, admin)).body;
    assert.equal(data.length, 50);
    await assertExactFigures(database());
  });

  test('the newest 20 devices and the newest 20 refresh tokens of an application stay after a merge that takes sessions', async () => {
    const [ada, other] = await newPair();
    const { id: applicationId } = await createApplication(service);
    const insertBoth = async (userId: string) => {
      const expiry = { scopes: '', created_at: 1, expires_at: Date.now() + DAY };
      for (const isFamily of [false, true]) {
        const token = { id: newId(), hash: newId(), userId, name: 'desk', first_characters: null, ...expiry };
        const familyId = isFamily ? token.id : null;
        await database().transaction((tx) => insertToken(tx, { ...token, applicationId, familyId }));
      }
    };
    for (let count = 0; count < 15; count++) await insertBoth(ada.id);
    for (let count = 0; count < 15; count++) await insertBoth(other.id);
    const newest = (await database().all(LIST_TOKENS, applicationId)).slice(-40);
    assert.equal((await merge(ada, other, { take: ['sessions'] })).status, 200);
    assert.deepEqual(await database().all(LIST_TOKENS, applicationId), newest);
    await assertExactFigures(database());
  });

  test('a merge takes sessions over, and nothing that they are shown', async () => {
    const [ada, other] = await newPair();
    const times = { authenticated_at: 1, created_at: 1, last_used_at: 1, expires_at: 2 };
    const session = { id: newId(), user_id: other.id, amr: 'pwd', device: null, network: null, ...times };
    await database().transaction(async (tx) => {
      await insertSession(tx, { ...session, hash: session.id, form_hash: null, form_nonce: '' });
      await writeShown(tx, { id: session.id, shown: Buffer.of(1), until: 2 });
    });
    assert.equal((await merge(ada, other, { take: ['sessions'] })).status, 200);
    const moved = sql('select user_id, shown from sign_in_sessions where id = $1');
    assert.deepEqual(await database().get(moved, session.id), { user_id: ada.id, shown: null });
  });

  test('submissions and identities that are not taken over are erased with the other account', async () => {
    const [ada, other] = await newPair();
    const form = await publishTestForm(service, { access: 'token' });
    await submit(form, other.token);
    await link(other);
    assert.equal((await merge(ada, other, { take: [] })).status, 200);
    assert.equal((await database().get(COUNT_ALL_SUBMISSIONS, form.split('/').at(-1)!))!.rows, 0);
    assert.deepEqual(await listIdentities(database(), ada.id), []);
  });

  test('a merge notifies the verified addresses of both, and revokes the links to both', async () => {
    const [ada, other, stranger] = await Promise.all([1, 2, 3].map(() => insertTestUser(database())));
    for (const { id } of [ada!, other!]) await markEmailVerified(service, id);
    const links = await Promise.all(
      [ada!, other!].map((user) =>
        createTestLink(service, 'reset_password', { user: { ...user, email: user.email! } }),
      ),
    );
    assert.equal((await merge(ada!, other!)).status, 200);
    for (const { email } of [ada!, other!]) {
      const mails = await waitingMail(service, email);
      assert.deepEqual(
        mails.map(({ kind, user_id }) => [kind, user_id]),
        [['accounts_merged', ada!.id]],
      );
      assert.equal(JSON.parse(mails[0]!.data).new_email, ada!.email);
    }
    for (const token of links) {
      const body = { token, password: 'a new and unusual passphrase' };
      assert.equal((await service.api.post('/api/password/reset', body)).status, 404);
    }
    await merge(ada!, stranger!);
    assert.deepEqual(await waitingMail(service, stranger!.email), []);
  });

  test('a merge is rejected with itself, an unknown user, one who is being erased, and a user in a lesser state', async () => {
    const [active, leaving] = [await insertTestUser(database()), await insertTestUser(database())];
    const unclaimed = await createUnclaimedUser(service);
    await database().transaction((tx) => writePendingErasure(tx, leaving.id, ''));
    const outcome = async (...given: Parameters<typeof merge>) => {
      const { status, body } = await merge(...given);
      return [status, body.code];
    };
    for (const from of [active, { id: newId() }, leaving])
      assert.deepEqual(await outcome(active, from), [400, 'validation_failed']);
    assert.deepEqual(await outcome(leaving, active), [409, 'user_state_conflict']);
    assert.deepEqual(await outcome(unclaimed, active), [409, 'user_state_conflict']);
    const { body: anonymous } = await service.api.post('/api/v1/users', {});
    assert.deepEqual(await outcome(anonymous.data, unclaimed), [409, 'user_state_conflict']);
    assert.deepEqual(await outcome(active, unclaimed), [200, undefined]);
  });

  test('an account with a second factor keeps it, and takes over no sessions that began without it', async () => {
    const [ada, other] = await newPair();
    await database().transaction((tx) => tx.run(ENABLE_TOTP, ada.id));
    const rejected = await merge(ada, other, { take: ['sessions'] });
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'user_state_conflict']);
    assert.notEqual((await merge(ada, other)).body.data.totp_enabled_at, null);
  });

  test('a merge needs the version of If-Match, and a repetition with the same Idempotency-Key gets the same response', async () => {
    const [ada, other] = await newPair();
    assert.equal((await merge(ada, other, { headers: { 'if-match': '"9"' } })).status, 412);
    const headers = { 'if-match': '"1"', 'idempotency-key': newKey() };
    const first = await merge(ada, other, { headers });
    const again = await merge(ada, other, { headers });
    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });

  test('a merge needs an owner if one of the accounts has a role', async () => {
    const [ada, other] = await newPair();
    const support = await signInAs(service, 'support');
    const auditor = await createAdministrator(service, 'auditor');
    const send = (target: { id: string }, from: { id: string }) =>
      support.send('POST', `${toPath(target)}/merge`, { body: { from: from.id } });
    assert.equal((await send(auditor, ada)).status, 403);
    assert.equal((await send(ada, auditor)).status, 403);
    assert.equal((await send(ada, other)).status, 200);
    const merged = await merge(ada, auditor);
    assert.deepEqual([merged.status, merged.body.data.role], [200, null]);
  });

  test('the last owner does not vanish in a merge that an owner requests', async () => {
    const owner = await signInAs(service, 'owner');
    const ada = await insertTestUser(database());
    const body = { from: owner.id };
    const response = await owner.send('POST', `${toPath(ada)}/merge`, { body });
    assert.deepEqual([response.status, response.body.code], [409, 'last_owner']);
    await changeRole(owner.send, { path: toPath(ada) }, 'owner');
    assert.equal((await owner.send('POST', `${toPath(ada)}/merge`, { body })).status, 200);
    await service.api.delete(toPath(ada), admin);
  });

  test('submissions beyond one transaction reach the user, also one who is merged into another meanwhile', async () => {
    const [first, ada, last] = [...(await newPair()), await insertTestUser(database())];
    const formId = (await publishTestForm(service, { access: 'token' })).split('/').at(-1)!;
    await database().transaction(async (tx) => {
      for (let count = 0; count < 450; count++) await tx.run(INSERT_SUBMISSION, newId(), formId, first.id);
    });
    const deps = { database: database(), clock: Date.now, maxErasureWaitMs: null };
    for (const [target, from] of [
      [ada, first],
      [last, ada],
    ] as const) {
      const choices = { take: ['submissions' as const], metadata: 'keep' as const };
      const given = { id: target.id, from: from.id, choices, isExpected: () => true };
      await database().transaction((tx) => applyMerge(deps, tx, given));
    }
    assert.equal((await read(first)).state, 'disabled');
    await finishErasures(deps, [first.id, ada.id]);
    assert.equal(await countSubmissions(last), 450);
    assert.deepEqual([await getStatus(first), await getStatus(ada)], [404, 404]);
  });

  test('of two merges in opposite directions on two nodes exactly one succeeds', async () => {
    for (let round = 0; round < 8; round++) {
      const [ada, other] = await newPair();
      const responses = await Promise.all([merge(ada, other), merge(other, ada, { node: second })]);
      assert.equal(responses.filter(({ status }) => status === 200).length, 1);
      const loser = responses.find(({ status }) => status !== 200)!;
      assert.equal(loser.status, 404, loser.text);
    }
  });

  test('a merge beside an erasure, a login or a submission of the other account leaves no half of it', async () => {
    const form = await publishTestForm(service, { access: 'token' });
    for (let round = 0; round < 6; round++) {
      const [ada, other] = [await insertLoggedInUser(database()), await register(service)];
      const [erased, merged, login, submitted] = await Promise.all([
        round % 2 === 0 ? second.api.delete(toPath(other), admin) : null,
        merge(ada, other, { take: ['submissions', 'sessions'] }),
        second.api.post('/api/login', { email: other.email, password: other.password }),
        submit(form, other.token),
      ]);
      assert.ok(merged.status === 200 || (merged.status === 400 && erased?.status === 204), merged.text);
      assert.ok([200, 401].includes(login.status), login.text);
      assert.equal(await getStatus(other), 404);
      if (merged.status !== 200) continue;
      // A token of a login before the merge belongs to the user who stays; an accepted submission is not lost.
      if (login.status === 200) assert.equal(await whoAmI(login.body.access_token), ada.id);
      assert.equal(await countSubmissions(ada), submitted === 201 ? 1 : 0);
    }
    await assertExactFigures(database());
  });
});
