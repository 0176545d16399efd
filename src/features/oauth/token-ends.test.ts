import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  signIn,
  type TestApplication,
  WITHOUT_LIMITS,
} from '../../../test/support/applications.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../test/support/service.ts';
import { insertTestToken } from '../../../test/support/users.ts';
import { type Database, sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { hashToken, newToken } from '../../lib/secrets/tokens.ts';
import { DAY, HOUR } from '../../lib/time.ts';
import { deleteApplication, updateApplication } from '../applications/change-application.ts';
import { deleteEndedSessions } from '../people/sign-in/queries.ts';
import { MAX_SESSIONS } from '../people/sign-in/sessions.ts';
import { issueToken, MAX_TOKENS_OF_APPLICATION, MAX_TOKENS_PER_USER } from '../people/tokens/issue-token.ts';
import { countLiveTokens, insertToken, listLiveTokens } from '../people/tokens/queries.ts';
import { ALL_SCOPES } from '../people/tokens/scopes.ts';

const STORED = sql<{ hash: string }>('select hash from tokens where user_id = $1');

describeOnEachEngine('ends of tokens of applications', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { clock, environment: WITHOUT_LIMITS });
  const { database } = service;
  type Person = Awaited<ReturnType<typeof signIn>>;

  async function getToken(application: TestApplication, { headers }: Person): Promise<string> {
    const { code } = (await authorize(service, authorization(application, { prompt: 'none' }), headers))
      .result;
    const { status, body } = await exchange(service, application, { code });
    assert.equal(status, 200, JSON.stringify(body));
    return body.access_token;
  }

  async function createToken(token: string, name = 'for a year'): Promise<string> {
    const { status, body } = await service.api.post(
      '/api/v1/tokens',
      { name, expires_in: 31_536_000 },
      { token },
    );
    assert.equal(status, 201);
    return body.data.access_token;
  }

  /** A person with a token of an application, one that the application has created with it, and one of a login. */
  async function signInToApplication() {
    const application = await createApplication(service, { scopes: ['self:read', 'tokens:manage'] });
    const person = await signIn(service, { clock });
    const token = await getToken(application, person);
    const created = await createToken(token);
    const expiresAt = clock.now + 60 * DAY;
    const login = (await insertTestToken(service.database, person.user.id, { scopes: ALL_SCOPES, expiresAt }))
      .token;
    return { application, person, token, created, login, of: [token, created, login] };
  }
  type SignedIn = Awaited<ReturnType<typeof signInToApplication>>;

  const isValid = async (token: string) => (await service.api.get('/api/v1/me', { token })).status === 200;
  const isActive = async (token: string) =>
    (await service.api.post('/api/v1/tokens/verify', { token }, admin)).body.active as boolean;
  const findValid = (tokens: readonly string[]) => Promise.all(tokens.map(isValid));

  /** Asserts what each way to use or see a token says about those of the application, while that of the login is valid. */
  async function assertEnded({ person, token, created, login, of }: SignedIn): Promise<void> {
    assert.deepEqual(await findValid(of), [false, false, true]);
    assert.deepEqual(await Promise.all(of.map(isActive)), [false, false, true]);
    const { body } = await service.api.post('/api/v1/tokens/verify', { tokens: of }, admin);
    assert.deepEqual(pluck(body.data, 'active'), [false, false, true]);
    const live = await listLiveTokens(database, person.user.id, clock.now);
    assert.deepEqual(pluck(live, 'first_characters'), [login.slice(0, 12)]);
    assert.equal(await countLiveTokens(database, person.user.id, clock.now), 1);
    for (const each of [token, created])
      assert.equal((await service.api.post('/api/v1/tokens', { name: 'x' }, { token: each })).status, 401);
  }

  const ENDS: Readonly<Record<string, (signedIn: SignedIn) => Promise<unknown>>> = {
    'the session is ended by an administrator': ({ person: { user, session } }) =>
      service.api.delete(`/api/v1/users/${user.id}/sessions/${session.id}`, admin),
    'the application signs the person out': ({ person: { headers } }) =>
      service.api.request('POST', '/oauth/end-session/confirm', {
        raw: '',
        headers: {
          ...headers,
          origin: service.api.url,
          'content-type': 'application/x-www-form-urlencoded',
        },
      }),
    'the session is pushed out by newer ones': async ({ person: { user } }) => {
      for (let count = 0; count < MAX_SESSIONS; count++) await signIn(service, { clock, userId: user.id });
    },
    'the session was not used for 12 hours': async () => {
      clock.now += 12 * HOUR;
    },
    'the session has expired in spite of uses': async ({ person: { headers } }) => {
      for (let hours = 0; hours < 30 * 24; hours += 8) {
        await service.api.get('/account', { headers });
        clock.now += 8 * HOUR;
      }
    },
    'the application is deleted': ({ application }) =>
      service.api.delete(`/api/v1/applications/${application.id}`, admin),
  };
  for (const [cause, end] of Object.entries(ENDS))
    test(`tokens of an application, and those that it has created, end when ${cause}; that of a login does not`, async () => {
      const signedIn = await signInToApplication();
      assert.deepEqual(await findValid(signedIn.of), [true, true, true]);
      await end(signedIn);
      await assertEnded(signedIn);
      // Rows of sessions that have expired, or were not used, are left to the housekeeping.
      clock.now += 12 * HOUR;
      await database.transaction((tx) => deleteEndedSessions(tx, clock.now, 500));
      assert.equal((await database.all(STORED, signedIn.person.user.id)).length, 1, 'rows are left');
    });

  test('a token that is stored after its session or its application has ended is not valid', async () => {
    const { application, person, of } = await signInToApplication();
    const store = (sessionId: string, applicationId: string) => {
      const token = newToken();
      const row = {
        hash: hashToken(token),
        id: newId(),
        userId: person.user.id,
        name: 'late',
        scopes: 'self:read',
      };
      const times = { created_at: clock.now, expires_at: clock.now + DAY, first_characters: null };
      const origin = { applicationId, sessionId };
      return database.transaction((tx) => insertToken(tx, { ...row, ...times, ...origin })).then(() => token);
    };
    const tokens = [
      await store(person.session.id, application.id),
      await store(newId(), application.id),
      await store(person.session.id, newId()),
    ];
    assert.deepEqual(await findValid(tokens), [true, false, false]);
    assert.ok((await findValid(of)).every(Boolean));
  });

  test('the tokens of sessions that were not used for 12 hours are deleted in batches, before the sessions', async () => {
    const { application, person, login } = await signInToApplication();
    for (let count = 0; count < 3; count++) await getToken(application, person);
    clock.now += 12 * HOUR;
    const left = async () => (await database.all(STORED, person.user.id)).length;
    const deleteBatch = () => database.transaction((tx) => deleteEndedSessions(tx, clock.now, 2));
    while ((await left()) > 1) {
      const before = await left();
      const deleted = await deleteBatch();
      const difference = before - (await left());
      assert.ok(difference <= 2 && (deleted === 2 || (await left()) === 1), `${difference}`);
    }
    assert.ok(await isValid(login));
    while ((await deleteBatch()) === 2);
    const sessions = sql('select id from sign_in_sessions where user_id = $1');
    assert.deepEqual(await database.all(sessions, person.user.id), []);
  });

  test('an application has five tokens of a session at most: the next one replaces the oldest, and none of others', async () => {
    const { application, person, token, created, login } = await signInToApplication();
    const userId = person.user.id;
    const named = await createToken(login, 'Backup');
    const other = await getToken(await createApplication(service), person);
    const elsewhere = await getToken(application, await signIn(service, { clock, userId }));
    const own: string[] = [token, created];
    for (let count = 0; count < MAX_TOKENS_PER_USER + 1; count++)
      own.push(await getToken(application, person));
    const kept = own.splice(-MAX_TOKENS_OF_APPLICATION);
    assert.ok((await findValid([login, named, other, elsewhere, ...kept])).every(Boolean));
    assert.ok(!(await findValid(own)).some(Boolean));
    const further = await createToken(kept.at(-1)!);
    assert.deepEqual(await findValid([...kept, further]), [false, true, true, true, true, true]);
    // Logins have a maximum of their own.
    await database.transaction(async (tx) => {
      for (let count = 0; count < MAX_TOKENS_PER_USER; count++)
        await issueToken(tx, { userId, now: clock.now, lifetimeSeconds: 3_600 });
    });
    assert.deepEqual(await findValid([login, named, other, elsewhere, further]), [
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test('concurrent sign-ins leave five tokens of a session', async () => {
    const application = await createApplication(service);
    const person = await signIn(service, { clock });
    await Promise.all(Array.from({ length: 12 }, () => getToken(application, person)));
    const stored = await service.database.all(STORED, person.user.id);
    assert.equal(stored.length, MAX_TOKENS_OF_APPLICATION);
  });

  test('a token of an application with four others is rotated without an overlap only', async () => {
    const { application, person } = await signInToApplication();
    for (let count = 0; count < MAX_TOKENS_OF_APPLICATION; count++) await getToken(application, person);
    const token = await getToken(application, person);
    const { data } = (await service.api.get('/api/v1/tokens', { token })).body;
    const { id } = data.find(({ current }: { current: boolean }) => current);
    const rotate = (overlap: number) =>
      service.api.post(`/api/v1/tokens/${id}/rotate`, { overlap }, { token });
    assert.equal((await rotate(60)).body.code, 'too_many_tokens');
    const rotated = await rotate(0);
    assert.equal(rotated.status, 201);
    const { body } = await service.api.post(
      '/api/v1/tokens/verify',
      { token: rotated.body.data.access_token },
      admin,
    );
    assert.equal(body.client_id, application.id);
  });

  test('the verification says which application has a created token, and when it ends with the session', async () => {
    const { application, person, created } = await signInToApplication();
    const { body } = await service.api.post('/api/v1/tokens/verify', { token: created }, admin);
    const end = Math.floor((person.session.lastUsedAt + 12 * HOUR) / 1000);
    assert.deepEqual([body.client_id, body.exp], [application.id, end]);
  });

  test('the deletion of an application that is changed meanwhile either ends its tokens or is rejected', async () => {
    const { application, of } = await signInToApplication();
    const { id } = application;
    let transactions = 0;
    const validAfterFirst: boolean[] = [];
    const transaction: Database['transaction'] = async (work) => {
      const result = await database.transaction(work);
      if (++transactions === 1) {
        validAfterFirst.push(...(await findValid(of)));
        const expected = { id, isExpected: () => true };
        await updateApplication({ database, clock }, expected, { name: `Changed ${id}` }).catch(() => {});
      }
      return result;
    };
    await deleteApplication(
      { database: { ...database, transaction }, clock },
      { id, isExpected: (version) => version === 1 },
    );
    assert.deepEqual(validAfterFirst, [false, false, true]);
    assert.deepEqual(await findValid(of), [false, false, true]);
  });
});
