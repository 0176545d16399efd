import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeading } from '../../../test/support/browser/account-pages.ts';
import { insertTestEvents } from '../../../test/support/events.ts';
import { publishTestForm } from '../../../test/support/forms.ts';
import { listEvents, logIn, waitingKinds } from '../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { admin, editor, newUserData, useService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import type { Person } from '../../../test/support/upstream/issuer.ts';
import { createBrowser, LOOPBACK_ALLOWED, useProvider } from '../../../test/support/upstream/sign-in.ts';
import { register } from '../../../test/support/users.ts';
import { prepareAll, prepareRun, prepareValue } from '../../database/prepare.ts';
import { listPendingErasures } from '../people/personal-data/delete-rows.ts';
import { finishErasures } from '../people/personal-data/erase-user.ts';
import { findUser, lockUser } from '../users/records/queries.ts';
import { eraseForOwner } from './linking/link-identity.ts';

const PAGE = '/sign-in/identity';
const UPSTREAM = { name: 'Upstream' } as Parameters<typeof eraseForOwner>[2]['provider'];
const findIds = prepareAll<{ id: string }, [emailKey: string]>('select id from users where email_key = $1');
const countWaiting = prepareValue<number, [email: string]>(
  'select count(*) as waiting from pending_identities where email = $1',
);
const unverify = prepareRun<[id: string]>('update users set email_verified_at = null where id = $1');

describeOnEachEngine('accounts that somebody else has created', (engine) => {
  const service = useService(engine, { environment: LOOPBACK_ALLOWED });
  const database = () => service.database;
  const { issuer, provider } = useProvider(service);

  const toPerson = (email: string, changes: object = {}): Person => ({
    ...{ sub: `owner-${email}`, email, name: 'The Owner', email_verified: true },
    ...changes,
  });
  /** Leads a person to the question whether the account with their email is theirs. */
  const ask = async (email: string, changes: object = {}) => {
    const browser = createBrowser(service);
    const { headers, text } = await browser.signIn(issuer, provider.id, toPerson(email, changes));
    assert.equal(headers.get('location'), PAGE, text);
    return browser;
  };
  const findOnlyId = async (email: string) => {
    const found = await findIds(database(), email.toLowerCase());
    assert.equal(found.length, 1);
    return found[0]!.id;
  };
  const read = async (path: string) => (await service.api.get(path, editor)).body;

  /** Registers a user who stores what an account can have, and an identity of theirs. */
  async function createFully() {
    const creator = await register(service);
    const own = { token: creator.token };
    const [user, mine] = [`/api/v1/users/${creator.id}`, { user_metadata: { planted: true }, locale: 'de' }];
    assert.equal((await service.api.patch('/api/v1/me', { ...mine, name: 'Creator' }, own)).status, 200);
    const set = { level: 'gold', app_metadata: { plan: 'creator' } };
    assert.equal((await service.api.patch(user, set, editor)).status, 200);
    const form = await publishTestForm(service);
    const answers = { full_name: 'Creator' };
    assert.equal((await service.api.post(`${form}/submissions`, { answers }, own)).status, 201);
    const identity = toPerson(creator.email, { sub: `creator-${creator.email}` });
    const browser = createBrowser(service);
    await browser.signIn(issuer, provider.id, identity);
    await browser.submit(`${PAGE}/password`, { current_password: creator.password });
    await database().transaction((tx) => unverify(tx, creator.id));
    await service.api.post('/api/v1/password-resets', { email: creator.email });
    return { ...creator, own, form, identity, browser };
  }

  test('a person who did not create the account gets a new one with the address and nothing of its creator', async () => {
    const creator = await createFully();
    const browser = await ask(creator.email);
    const answered = await browser.submit(`${PAGE}/not-mine`);
    assert.equal(answered.headers.get('location'), '/account', answered.text);
    const id = await findOnlyId(creator.email);
    assert.notEqual(id, creator.id);
    const { data } = await read(`/api/v1/users/${id}`);
    assert.equal(data.name, 'The Owner');
    assert.deepEqual([data.state, data.level, data.locale, data.role], ['active', null, null, null]);
    assert.deepEqual([data.user_metadata, data.app_metadata], [{}, {}]);
    assert.notEqual(data.email_verified_at, null);
    const events = ['user.created by user', 'identity.linked by user', 'session.created by user'];
    assert.deepEqual(await listEvents(service, id), events);
    assert.deepEqual((await read(`/api/v1/users/${id}/identities`)).data.length, 1);
    assert.deepEqual((await service.api.get(`${creator.form}/submissions`, admin)).body.data, []);
    assert.deepEqual(await waitingKinds(service, creator.email), ['account_taken_over']);
    await assertExactFigures(database());

    assert.equal(await findUser(database(), creator.id), undefined);
    assert.deepEqual((await listEvents(service, creator.id)).slice(-2), [
      'account.taken_over by anonymous',
      'user.erased by anonymous',
    ]);
    const { data: erased } = await read(`/api/v1/users/${creator.id}/events`);
    for (const { network, device } of erased ?? []) assert.deepEqual([network, device], [null, null]);
    assert.equal((await service.api.get('/api/v1/me', creator.own)).status, 401);
    assert.equal((await logIn(service, creator)).status, 401);
    assert.equal((await creator.browser.get('/account')).status, 303);
    const again = createBrowser(service);
    await again.signIn(issuer, provider.id, creator.identity);
    assert.equal(again.hasSession(), false, 'the identity of the creator is not linked any more');
  });

  test('an account with more rows than one transaction deletes leaves its address at once and is erased completely', async () => {
    const creator = await createFully();
    await insertTestEvents(database(), creator.id, 900);
    const browser = await ask(creator.email);
    assert.equal((await browser.submit(`${PAGE}/not-mine`)).headers.get('location'), '/account');
    const id = await findOnlyId(creator.email);
    assert.notEqual(id, creator.id);
    assert.equal(await findUser(database(), creator.id), undefined);
    assert.deepEqual(await listPendingErasures(database()), []);
    assert.deepEqual(await waitingKinds(service, creator.email), ['account_taken_over']);
    await assertExactFigures(database());
  });

  test('a process that ends after the first of several transactions leaves a new account, and an erasure that is completed', async () => {
    const creator = await createFully();
    await insertTestEvents(database(), creator.id, 900);
    const isErased = await database().transaction(async (tx) =>
      eraseForOwner(tx, (await lockUser(tx, creator.id))!, { provider: UPSTREAM, now: Date.now() }),
    );
    assert.equal(isErased, false);
    assert.deepEqual(await waitingKinds(service, creator.email), [], 'before the rest');
    assert.equal((await logIn(service, creator)).status, 401);
    assert.equal((await creator.browser.get('/account')).status, 303);
    const { id } = await register(service, { ...newUserData(), email: creator.email });
    const waiting = await waitingKinds(service, creator.email);
    const pending = await listPendingErasures(database());
    assert.deepEqual(pending, [creator.id]);
    const completing = { database: database(), clock: Date.now, maxErasureWaitMs: null };
    await finishErasures(completing, pending);
    assert.equal(await findUser(database(), creator.id), undefined);
    assert.equal(await findOnlyId(creator.email), id);
    assert.deepEqual(await waitingKinds(service, creator.email), waiting, 'those of the new account');
    await assertExactFigures(database());
  });

  test('identities that wait for an answer are deleted with the account that has their email, in any case of its letters', async () => {
    const creator = await register(service);
    const spelled = creator.email.toUpperCase();
    const browser = await ask(spelled);
    assert.equal(await countWaiting(database(), spelled), 1);
    assert.equal((await service.api.delete(`/api/v1/users/${creator.id}`, editor)).status, 204);
    assert.equal(await countWaiting(database(), spelled), 0);
    assert.equal(getHeading(await browser.get(PAGE)), 'This sign-in cannot be completed');
  });

  test('parallel answers of several browsers of the owner leave one new account', async () => {
    const creator = await register(service);
    const browsers = await Promise.all(Array.from({ length: 3 }, () => ask(creator.email)));
    const answers = await Promise.all(browsers.map((browser) => browser.submit(`${PAGE}/not-mine`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
    assert.notEqual(await findOnlyId(creator.email), creator.id);
  });

  if (engine === 'postgres') return;

  test('an account that has got a role since the question was asked is not erased', async () => {
    const creator = await register(service);
    const browser = await ask(creator.email);
    const given = await service.api.patch(`/api/v1/users/${creator.id}`, { role: 'auditor' }, editor);
    assert.equal(given.status, 200, given.text);
    assert.equal((await browser.submit(`${PAGE}/not-mine`)).status, 400);
    assert.equal((await findUser(database(), creator.id))!.role, 'auditor');
  });

  test('the account of the last owner is never erased for the owner of its email', async () => {
    const { id } = await register(service);
    assert.equal((await service.api.patch(`/api/v1/users/${id}`, { role: 'owner' }, editor)).status, 200);
    const erasing = database().transaction(async (tx) =>
      eraseForOwner(tx, (await lockUser(tx, id))!, { provider: UPSTREAM, now: Date.now() }),
    );
    await assert.rejects(erasing, { code: 'last_owner' });
    assert.equal((await findUser(database(), id))!.role, 'owner');
  });
});
