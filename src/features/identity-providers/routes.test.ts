import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { editor, useService } from '../../../test/support/service.ts';
import { type Issuer, startIssuer, toProvider } from '../../../test/support/upstream/issuer.ts';
import { addProvider, createBrowser, LOOPBACK_ALLOWED } from '../../../test/support/upstream/sign-in.ts';
import { insertLoggedInUser, register } from '../../../test/support/users.ts';
import { prepareAll, prepareRun } from '../../database/prepare.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { insertIdentity } from './queries.ts';

const PATH = '/api/v1/identity-providers';
const readSecrets = prepareAll<{ client_secret: Uint8Array }>('select client_secret from identity_providers');
const deleteAll = prepareRun('delete from identity_providers');
const deletePassword = prepareRun<[id: string]>('update users set password_hash = null where id = $1');

describeOnEachEngine('identity providers', (engine) => {
  const service = useService(engine, {
    environment: { ...LOOPBACK_ALLOWED, PUBLIC_URL: 'https://id.example.org' },
  });
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.close());
  const create = (changes: object = {}) => service.api.post(PATH, toProvider(issuer, changes), editor);
  const check = async (id: string) => {
    const { status, body } = await service.api.post(`${PATH}/${id}/check`, undefined, editor);
    assert.equal(status, 200);
    return body.data.map((each: { step: string; status: string }) => `${each.step}: ${each.status}`);
  };
  const addUser = () => insertLoggedInUser(service.database);
  const link = (userId: string, issuerUrl = issuer.url) => {
    const row = { id: newId(), user_id: userId, issuer: issuerUrl, subject: newId(), email: null };
    const times = { created_at: Date.now(), last_used_at: Date.now() };
    return service.database.transaction((tx) => insertIdentity(tx, { ...row, ...times })).then(() => row.id);
  };

  test('a provider is added, read, changed with If-Match and deleted, and its secret is stored encrypted', async () => {
    const { status, headers, body } = await create();
    assert.equal(status, 201);
    const { id, redirect_uri } = body.data;
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.equal(redirect_uri, `https://id.example.org/sign-in/callback/${id}`);
    assert.deepEqual(body.data.scopes, ['openid', 'email', 'profile']);
    assert.doesNotMatch(JSON.stringify(body), /secret-of-the-client/);
    const [stored] = await readSecrets(service.database);
    assert.equal(Buffer.from(stored!.client_secret).includes('secret-of-the-client'), false);

    const path = `${PATH}/${id}`;
    const changed = await service.api.patch(
      path,
      { enabled: false, client_secret: 'another', scopes: ['email'] },
      editor,
    );
    assert.equal(changed.headers.get('etag'), '"2"');
    assert.deepEqual([changed.body.data.enabled, changed.body.data.scopes], [false, ['openid', 'email']]);
    assert.equal((await service.api.patch(path, { enabled: false }, editor)).body.data.version, 2);
    assert.equal((await service.api.get(`/sign-in/with/${id}`)).status, 404, 'it is switched off');
    assert.equal((await service.api.delete(path, editor)).status, 204);
    assert.equal((await service.api.get(path, editor)).body.code, 'identity_provider_not_found');
  });

  test('users see and unlink their identities, but never the last way in', async () => {
    await create();
    const user = await addUser();
    const own = { token: user.token };
    const [first, second] = [await link(user.id), await link(user.id)];
    const { body } = await service.api.get('/api/v1/me/identities', own);
    assert.deepEqual(pluck(body.data, 'id'), [first, second]);
    const unlink = (id: string, given = own, proof = {}) =>
      service.api.request('DELETE', `/api/v1/me/identities/${id}`, { body: proof, ...given });
    assert.equal((await unlink(first)).body.code, 'recent_sign_in_required');
    const registered = await register(service);
    const proof = { current_password: registered.password };
    const theirs = { token: registered.token };
    assert.equal((await unlink(first, theirs, proof)).body.code, 'identity_not_found');
    const linked = await link(registered.id);
    assert.equal((await unlink(linked, theirs)).status, 400, 'a password is required');
    assert.equal((await unlink(linked, theirs, proof)).status, 204, 'the password is another way in');

    const ofUser = `/api/v1/users/${user.id}/identities`;
    assert.equal((await service.api.delete(`${ofUser}/${first}`, editor)).status, 204);
    assert.equal((await service.api.delete(`${ofUser}/${second}`, editor)).body.code, 'last_way_in');
    assert.equal((await service.api.get(ofUser, editor)).body.data.length, 1);
    const { body: exported } = await service.api.get('/api/v1/me/export', own);
    assert.equal(exported.identities.length, 1);
    assert.equal((await service.api.delete(`/api/v1/users/${user.id}`, editor)).status, 204);
    assert.equal((await service.api.get(ofUser, editor)).status, 404);
  });

  const OTHER = 'https://other.example.org';
  const setPasswordSignIn = async (value: string) => {
    const changed = await service.api.patch('/api/v1/admin/settings', { PASSWORD_SIGN_IN: value }, editor);
    assert.equal(changed.status, 200, changed.text);
  };
  const NOT_WORKING: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'an identity whose provider is switched off': async (id) => {
      await create({ issuer: OTHER, enabled: false });
      await link(id, OTHER);
    },
    'an identity whose provider was deleted': (id) => link(id, OTHER),
    'a password while passwords are switched off': () => setPasswordSignIn('off'),
  };
  for (const [title, add] of Object.entries(NOT_WORKING))
    test(`the last way in that works is not unlinked from a user who also has ${title}`, async (context) => {
      await service.database.transaction((tx) => deleteAll(tx));
      await create();
      const user = await register(service);
      context.after(() => setPasswordSignIn('on'));
      const identity = await link(user.id);
      await add(user.id);
      const ofUser = `/api/v1/users/${user.id}/identities`;
      if (!title.startsWith('a password'))
        await service.database.transaction((tx) => deletePassword(tx, user.id));
      assert.equal((await service.api.delete(`${ofUser}/${identity}`, editor)).body.code, 'last_way_in');
      const options = { token: user.token, body: { current_password: user.password } };
      if (title.startsWith('a password')) {
        const own = await service.api.request('DELETE', `/api/v1/me/identities/${identity}`, options);
        assert.equal(own.body.code, 'last_way_in');
      }
      assert.ok((await service.api.get(ofUser, editor)).text.includes(identity));
    });

  if (engine === 'postgres') return;

  test('the scopes of a provider can be empty for GitHub, and are at least openid for OpenID Connect', async () => {
    const github = await create({ kind: 'github', issuer: undefined, scopes: [] });
    const oidc = await create({ scopes: [] });
    for (const [{ body }, scopes] of [
      [github, []],
      [oidc, ['openid']],
    ] as const) {
      assert.deepEqual(body.data.scopes, scopes);
      const path = `${PATH}/${body.data.id}`;
      assert.deepEqual((await service.api.get(path, editor)).body.data.scopes, scopes);
      assert.equal((await service.api.delete(path, editor)).status, 204);
    }
  });

  test('issuers that are not permitted, missing members and the eleventh provider are rejected', async () => {
    for (const changes of [
      { issuer: 'http://8.8.8.8' },
      { issuer: 'https://169.254.169.254' },
      { issuer: 'https://user@example.com' },
      { issuer: undefined },
    ])
      assert.equal((await create(changes)).status, 400, JSON.stringify(changes));
    const pasted = await create({ issuer: `${issuer.url}/.well-known/openid-configuration/` });
    assert.equal(pasted.body.data.issuer, issuer.url);
    const responses = [];
    for (let count = 0; count < 10; count++) responses.push(await create());
    assert.equal(responses.at(-1)!.body.code, 'too_many_identity_providers');
    assert.equal((await service.api.get(PATH, editor)).body.data.length, 10);
    await service.database.transaction((tx) => deleteAll(tx));
  });

  test('a check says step by step what is wrong', async () => {
    const { id } = await addProvider(service, issuer);
    const all = ['metadata', 'issuer', 'algorithms', 'keys', 'claims', 'client', 'redirect_uri'];
    assert.deepEqual(
      await check(id),
      all.map((step) => `${step}: ok`),
    );
    issuer.behaviour = { metadata: (metadata) => ({ ...metadata, issuer: `${issuer.url}/` }) };
    assert.deepEqual(await check(id), ['metadata: ok', 'issuer: failed']);
    issuer.behaviour = {
      metadata: ({ claims_supported: _, ...metadata }) => ({
        ...metadata,
        id_token_signing_alg_values_supported: ['HS256'],
        jwks_uri: `${issuer.url}/none`,
      }),
      replies: {
        '/token': { status: 401, body: { error: 'invalid_client' } },
        '/none': { body: { keys: [] } },
      },
    };
    const expected = [
      'algorithms: failed',
      'keys: failed',
      'claims: warning',
      'client: failed',
      'redirect_uri: ok',
    ];
    assert.deepEqual(await check(id), ['metadata: ok', 'issuer: ok', ...expected]);
    issuer.behaviour = { replies: { '/.well-known/openid-configuration': { status: 404 } } };
    assert.deepEqual(await check(id), ['metadata: failed']);
    issuer.behaviour = {};
    await service.database.transaction((tx) => deleteAll(tx));
  });

  test('GitHub is a provider by OAuth alone, whose primary address counts if it is verified', async () => {
    const github = await addProvider(service, issuer, { kind: 'github', name: 'GitHub' });
    issuer.behaviour = {
      replies: {
        '/login/oauth/access_token': { body: { access_token: 'gho_1', token_type: 'bearer', scope: '' } },
        '/api/v3/user': { body: { id: 583231, login: 'octocat', name: null } },
        '/api/v3/user/emails': {
          body: [
            { email: 'other@example.com', primary: false, verified: true },
            { email: 'octocat@example.com', primary: true, verified: true },
          ],
        },
      },
    };
    const browser = createBrowser(service);
    browser.cookies.clear();
    const location = new URL(await browser.begin(github.id));
    assert.equal(location.pathname, '/login/oauth/authorize');
    assert.equal(location.searchParams.get('scope'), 'read:user user:email');
    const state = location.searchParams.get('state')!;
    const iss = `${issuer.url}/login/oauth`;
    const query = new URLSearchParams({ code: 'c', state, iss });
    const response = await browser.get(`/sign-in/callback/${github.id}?${query}`);
    assert.equal(response.headers.get('location'), '/account', response.text);
    const { body } = await service.api.get('/api/v1/users', editor);
    const user = body.data.find(({ email }: { email: string }) => email === 'octocat@example.com');
    const { data } = (await service.api.get(`/api/v1/users/${user.id}/identities`, editor)).body;
    assert.deepEqual(
      [data[0].provider, data[0].subject, data[0].email],
      ['GitHub', '583231', 'octocat@example.com'],
    );
    issuer.behaviour = {};
  });

  test('a response by POST, as Apple sends it, is taken up by a link of this service', async () => {
    const { id } = await addProvider(service, issuer);
    const browser = createBrowser(service);
    const person = { sub: 'apple', email: 'apple@example.com', email_verified: true };
    const raw = issuer.authorize(await browser.begin(id), person);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
      origin: 'https://appleid.apple.com',
    };
    const posted = await service.api.request('POST', `/sign-in/callback/${id}`, {
      raw: `${raw}&user=%7B%7D`,
      headers,
    });
    assert.equal(posted.status, 200, posted.text);
    const href = /href="([^"]*callback[^"]*)"/.exec(posted.text)![1]!.replaceAll('&amp;', '&');
    assert.equal((await browser.get(href)).headers.get('location'), '/account');
  });
});
