/** Everything that ends a program that stays signed in ends all of its tokens, at once and on every node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  authorization,
  authorize,
  createApplication,
  exchange,
  postForm,
  refresh,
  signIn,
  signInOffline,
  WITHOUT_LIMITS,
} from '../../../test/support/applications.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import {
  admin,
  editor,
  openService,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';
import { insertTestToken, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { DAY, HOUR } from '../../lib/time.ts';
import { deleteEndedSessions } from '../people/sign-in/queries.ts';
import { MAX_SESSIONS } from '../people/sign-in/sessions.ts';
import { ALL_SCOPES } from '../people/tokens/scopes.ts';
import { applyMerge } from '../users/merge-users.ts';

const UNVERIFY = sql('update users set email_verified_at = null where id = $1');
const FORGET = sql('delete from refresh_tokens where family_id = $1');
const SWITCH_OFF = sql('update applications set refresh = 0 where id = $1');
const LIMIT = sql('update applications set allowed_groups = $1 where id = $2');
const REQUIRED = { REQUIRE_VERIFIED_EMAIL: 'true' };

describeOnEachEngine('the end of a program that stays signed in', (engine) => {
  const clock = manualClock(Date.now());
  const options = { clock, environment: WITHOUT_LIMITS };
  const service = useService(engine, options);
  const { database } = service;
  let second: TestService;
  before(async () => {
    second = await startService(engine, { ...options, testDatabase: service.testDatabase });
  });
  after(() => second.stop());

  type SignedIn = Awaited<ReturnType<typeof start>>;

  async function start(members: object = {}) {
    const signedIn = await signInOffline(service, { clock, members });
    const { body } = await refresh(service, signedIn);
    const created = await service.api.post(
      '/api/v1/tokens',
      { name: 'Created' },
      { token: body.access_token },
    );
    assert.equal(created.status, 201, created.text);
    const tokens = [signedIn.access, body.access_token, created.body.data.access_token] as string[];
    const expiresAt = clock.now + 400 * DAY;
    const login = (await insertTestToken(database, signedIn.user.id, { scopes: ALL_SCOPES, expiresAt }))
      .token;
    return { ...signedIn, token: body.refresh_token as string, replaced: signedIn.token, tokens, login };
  }

  const isValid = async ({ api }: Pick<TestService, 'api'>, token: string) =>
    (await api.get('/api/v1/me', { token })).status === 200;

  async function getDeviceId({ user }: SignedIn): Promise<string> {
    const { data } = (await service.api.get(`/api/v1/users/${user.id}/tokens`, admin)).body;
    return data.find((token: Record<string, string>) => token.first_characters!.startsWith('fd_rt_')).id;
  }

  /** Asserts on the node that has not ended it first. */
  async function assertEnded(signedIn: SignedIn): Promise<void> {
    for (const node of [second, service]) {
      for (const token of signedIn.tokens)
        assert.ok(!(await isValid(node, token)), 'an access token is valid');
      for (const token of [signedIn.token, signedIn.replaced]) {
        const { status, body } = await refresh(node, { ...signedIn, token });
        assert.ok([400, 401].includes(status), body.access_token);
      }
      const { status, body } = await node.api.get(`/api/v1/users/${signedIn.user.id}/tokens`, admin);
      const names = status === 404 ? [] : body.data.map(({ name }: { name: string }) => name);
      assert.ok(!names.some((name: string) => name.startsWith('Application')), 'it is listed');
    }
  }

  const submit = (path: string, { headers }: SignedIn, members: Readonly<Record<string, string>> = {}) =>
    postForm(service, path, members, { ...headers, origin: service.api.url });
  const revoke = ({ application: { id, client_secret } }: SignedIn, token: string) =>
    postForm(service, '/oauth/revoke', { client_id: id, client_secret: client_secret!, token });
  const asLogin = ({ login: token }: SignedIn) => ({ token });
  const endSession = ({ user, session }: SignedIn) =>
    service.api.delete(`/api/v1/users/${user.id}/sessions/${session.id}`, admin);

  const ENDS: Readonly<Record<string, (signedIn: SignedIn) => Promise<unknown>>> = {
    'the application revokes its refresh token': (each) => revoke(each, each.token),
    'the application revokes an earlier refresh token': (each) => revoke(each, each.replaced),
    'the program logs out': ({ tokens }) => service.api.post('/api/logout', {}, { token: tokens[1]! }),
    'the person logs out everywhere': (each) =>
      service.api.post('/api/logout', { scope: 'all' }, asLogin(each)),
    'the person logs out of all others': (each) =>
      service.api.post('/api/logout', { scope: 'others' }, asLogin(each)),
    'the person revokes all other tokens': (each) =>
      service.api.delete('/api/v1/tokens?except=current', asLogin(each)),
    'the person revokes the device': async (each) =>
      service.api.delete(`/api/v1/tokens/${await getDeviceId(each)}`, asLogin(each)),
    'the person ends the device on the page of the account': async (each) =>
      submit(`/account/tokens/${await getDeviceId(each)}/revoke`, each),
    'the person ends all other sessions on that page': (each) => submit('/account/sessions/end-others', each),
    'an administrator revokes the device': async (each) =>
      service.api.delete(`/api/v1/users/${each.user.id}/tokens/${await getDeviceId(each)}`, admin),
    'an administrator ends all sessions': ({ user }) =>
      service.api.delete(`/api/v1/users/${user.id}/tokens`, admin),
    'the user is disabled': ({ user }) =>
      service.api.patch(`/api/v1/users/${user.id}`, { state: 'disabled' }, editor),
    'the user was disabled and enabled again': async ({ user }) => {
      for (const state of ['disabled', 'active'])
        await service.api.patch(`/api/v1/users/${user.id}`, { state }, editor);
    },
    'the user is erased': ({ user }) => service.api.delete(`/api/v1/users/${user.id}`, admin),
    'the password is set': ({ user }) =>
      service.api.put(
        `/api/v1/users/${user.id}/password`,
        { password: 'paper lantern under the bridge' },
        editor,
      ),
    'the application is deleted': ({ application }) =>
      service.api.delete(`/api/v1/applications/${application.id}`, admin),
    'the application gets no refresh tokens any more': async ({ application }) => {
      const path = `/api/v1/applications/${application.id}`;
      for (const isOn of [false, true]) await service.api.patch(path, { refresh: isOn }, editor);
    },
    'the application gets none, by a node that is killed before it has deleted them': ({ application }) =>
      service.database.transaction((tx) => tx.run(SWITCH_OFF, application.id)),
    'the application gets none by such a node, and gets them again': async ({ application }) => {
      await service.database.transaction((tx) => tx.run(SWITCH_OFF, application.id));
      await service.api.patch(`/api/v1/applications/${application.id}`, { refresh: true }, editor);
    },
    'the application is limited to nobody by such a node, and to everybody again': async ({
      application,
    }) => {
      await service.database.transaction((tx) => tx.run(LIMIT, '[]', application.id));
      await service.api.patch(`/api/v1/applications/${application.id}`, { allowed_groups: null }, editor);
    },
    'the application is limited to a group by such a node, to which the person is added': async (each) => {
      const group = { name: `g-${each.user.id}`, title: 'Group' };
      const { id } = (await service.api.post('/api/v1/groups', group, admin)).body.data;
      await service.database.transaction((tx) => tx.run(LIMIT, `["${id}"]`, each.application.id));
      const path = `/api/v1/groups/${id}/users/${each.user.id}`;
      assert.ok((await service.api.put(path, {}, admin)).status < 300);
    },
    'the person leaves the group of the application': async ({ application, user }) => {
      const { id } = (
        await service.api.post('/api/v1/groups', { name: `g-${user.id}`, title: 'Group' }, admin)
      ).body.data;
      const path = `/api/v1/groups/${id}/users/${user.id}`;
      await service.api.put(path, {}, admin);
      const limit = { allowed_groups: [id] };
      await service.api.patch(`/api/v1/applications/${application.id}`, limit, editor);
      await service.api.delete(path, admin);
      // A person who is added again has to sign in again.
      assert.ok((await service.api.put(path, {}, admin)).status < 300);
    },
    'the application is limited to others': ({ application }) =>
      service.api.patch(`/api/v1/applications/${application.id}`, { allowed_groups: [] }, editor),
    'the code of the sign-in is used again': ({ application, code }) =>
      exchange(service, application, { code }),
    'a replaced refresh token is used after the grace period': async (each) => {
      clock.now += 30_000;
      await refresh(service, { ...each, token: each.replaced });
    },
    'a backup is restored, which has no refresh tokens': async (each) => {
      const id = await getDeviceId(each);
      await service.database.transaction((tx) => tx.run(FORGET, id));
    },
    'it was not used for 30 days': async () => {
      clock.now += 30 * DAY;
    },
  };
  for (const [cause, end] of Object.entries(ENDS))
    test(`all tokens of a program are rejected on every node when ${cause}; those of another program are not`, async () => {
      const signedIn = await start();
      const other = await start();
      for (const token of signedIn.tokens) assert.ok(await isValid(second, token));
      await end(signedIn);
      await assertEnded(signedIn);
      if (cause !== 'it was not used for 30 days') assert.equal((await refresh(second, other)).status, 200);
    });

  const SIGN_OUTS: Readonly<Record<string, (signedIn: SignedIn) => Promise<unknown>>> = {
    'the application signs the person out': (each) => submit('/oauth/end-session/confirm', each),
    'the person signs out on the pages': (each) => submit('/sign-out', each),
    'the session is ended by an administrator': endSession,
    'the session is pushed out by newer ones': async ({ user }) => {
      for (let count = 0; count < MAX_SESSIONS; count++) await signIn(service, { clock, userId: user.id });
    },
  };
  for (const [cause, end] of Object.entries(SIGN_OUTS))
    test(`a program stays signed in when ${cause}, unless its application has refresh_ends_with_session`, async () => {
      const [kept, ended] = [await start(), await start({ refresh_ends_with_session: true })];
      for (const each of [kept, ended]) await end(each);
      for (const token of kept.tokens) assert.ok(await isValid(second, token));
      assert.equal((await refresh(second, kept)).status, 200);
      await assertEnded(ended);
    });

  test('a program stays signed in after the session of the browser has expired', async () => {
    const signedIn = await start({ refresh_ends_with_session: true });
    clock.now += 12 * HOUR;
    while ((await database.transaction((tx) => deleteEndedSessions(tx, clock.now, 500))) > 0);
    const { status, body } = await refresh(service, signedIn);
    assert.equal(status, 200);
    assert.ok(await isValid(second, body.access_token));
  });

  test('a program stays signed in when it ends all other tokens of the person', async () => {
    const signedIn = await start();
    const [, token] = signedIn.tokens;
    const { body } = await service.api.delete('/api/v1/tokens?except=current', { token: token! });
    assert.equal(body.data.revoked, 1, 'it counts its own tokens');
    assert.ok(!(await isValid(second, signedIn.login)));
    assert.equal((await refresh(second, signedIn)).status, 200);
  });

  test('a merge that moves the sessions keeps a program signed in', async () => {
    const signedIn = await start();
    const target = await insertTestUser(database);
    const choices = { take: ['sessions' as const], metadata: 'keep' as const };
    const merge = { id: target.id, from: signedIn.user.id, isExpected: () => true, choices };
    await database.transaction((tx) => applyMerge({ clock }, tx, merge));
    const { status, body } = await refresh(second, signedIn);
    assert.equal(status, 200);
    assert.equal((await service.api.get('/api/v1/me', { token: body.access_token })).body.data.id, target.id);
  });

  test('the next token is refused while the email is not verified, where the settings require it', async (context) => {
    const strict = await openService(context, engine, {
      ...{ clock, testDatabase: service.testDatabase },
      environment: { ...WITHOUT_LIMITS, ...REQUIRED },
    });
    const signedIn = await start();
    await service.database.transaction((tx) => tx.run(UNVERIFY, signedIn.user.id));
    const { status, body } = await refresh(strict, signedIn);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    assert.equal((await refresh(service, signedIn)).status, 200);
  });

  test('an application without refresh uses no refresh token, and one with it may use a code without one', async () => {
    const application = await createApplication(service);
    const { headers } = await signIn(service, { clock });
    const { code } = (await authorize(service, authorization(application), headers)).result;
    const { body } = await refresh(service, { application, token: 'fd_rt_x' });
    assert.equal(body.error, 'unauthorized_client');
    assert.equal((await exchange(service, application, { code })).status, 200);
  });
});
