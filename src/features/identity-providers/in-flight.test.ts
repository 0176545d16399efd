/** What ends, changes or is switched off while a sign-in or a link with a provider is in progress. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { SignJWT } from 'jose';
import { getHeading } from '../../../test/support/browser/account-pages.ts';
import { waitingMail } from '../../../test/support/processes/recovery.ts';
import { describeStorage } from '../../../test/support/runner/engines.ts';
import { editor, newUserData, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { KEY_ID, type Person } from '../../../test/support/upstream/issuer.ts';
import {
  addProvider,
  createBrowser,
  LOOPBACK_ALLOWED,
  type TestBrowser,
  useProvider,
} from '../../../test/support/upstream/sign-in.ts';
import { markEmailVerified, register } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { prepareRun, prepareValue } from '../../database/prepare.ts';
import { MINUTE } from '../../lib/time.ts';
import { countIdentities, findIdentity } from './queries.ts';
import { deleteExpiredPending, deleteExpiredRequests } from './upstream/queries.ts';

const PAGE = '/sign-in/identity';
const CANNOT = 'This sign-in cannot be completed';
const countSessions = prepareValue<number>('select count(*) as sessions from sign_in_sessions');
const unverify = prepareRun<[id: string]>('update users set email_verified_at = null where id = $1');
/** Without a new version of the row, for which those that wait would race. */
const LOCK = sql('select id from users where id = $1 for no key update');
/** To be read outside of transactions, which see the list of connections of their first look. */
const WAITING = sql<unknown>(`
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

describeStorage('sign-ins and links in flight', (engine) => {
  let offset = 0;
  const service = useService(engine, { environment: LOOPBACK_ALLOWED, clock: () => Date.now() + offset });
  const database = () => service.database;
  const { issuer, provider } = useProvider(service);
  afterEach(() => {
    offset = 0;
    issuer.behaviour = {};
  });

  const newPerson = (changes: Partial<Person> = {}): Person => {
    const { email } = newUserData();
    return { sub: `sub-${email}`, email, email_verified: true, ...changes };
  };
  const path = (id: string) => `/api/v1/users/${id}`;
  const patch = async (url: string, body: object) => {
    const { status, text } = await service.api.patch(url, body, editor);
    assert.equal(status, 200, text);
  };
  const setPassword = async (id: string) => {
    const body = { password: 'another password of them' };
    const { status, text } = await service.api.put(`${path(id)}/password`, body, editor);
    assert.ok(status < 300, text);
  };
  const erase = async (id: string) => assert.equal((await service.api.delete(path(id), editor)).status, 204);
  const isLinked = async ({ sub: subject }: Person) =>
    (await findIdentity(database(), { issuer: issuer.url, subject })) !== undefined;

  /** Returns a user who is signed in with a password, and an identity of theirs with another email. */
  async function createLinkedUser() {
    const user = await register(service);
    const browser = createBrowser(service);
    await browser.submit('/sign-in', { email: user.email, current_password: user.password });
    const person = newPerson();
    const linked = await browser.get(await beginLink(browser, user.password, person));
    assert.equal(linked.headers.get('location'), '/account', linked.text);
    return { user, browser, person };
  }

  /** Begins a link, and returns the URL of its callback. */
  async function beginLink(browser: TestBrowser, password: string, person: Person) {
    const fields = { current_password: password };
    const begun = await browser.submit(`/sign-in/with/${provider.id}?return_to=/account`, fields);
    assert.equal(begun.status, 200, begun.text);
    const url = begun.headers.get('refresh')!.replace('0; url=', '');
    return `/sign-in/callback/${provider.id}?${issuer.authorize(url, person)}`;
  }

  async function beginSignIn(browser: TestBrowser, person: Person, returnTo?: string) {
    const url = await browser.begin(provider.id, returnTo);
    return `/sign-in/callback/${provider.id}?${issuer.authorize(url, person)}`;
  }

  /**
   * Lets the second request wait for the user behind the first one, and returns the response to the second. On SQLite, one
   * transaction runs after the other.
   */
  async function runInTurn<T>(userId: string, first: () => Promise<unknown>, second: () => Promise<T>) {
    if (engine === 'sqlite') {
      await first();
      return second();
    }
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = database().transaction(async (tx) => {
      await tx.get(LOCK, userId);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const waits = (count: number) =>
      until(async () => (await database().all(WAITING)).length === count, `${count} transactions wait`);
    const [change, response] = [first(), waits(1).then(second)];
    await waits(2).finally(released.resolve);
    await Promise.all([holding, change]);
    return response;
  }

  /** Pauses the provider at its token endpoint while `work` runs. */
  async function whileAwaited<T>(request: () => Promise<T>, work: () => Promise<unknown>): Promise<T> {
    const reached = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    issuer.behaviour = {
      async idToken(claims, { keys }) {
        reached.resolve();
        await proceed.promise;
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(keys.privateKey);
      },
    };
    const response = request();
    await reached.promise;
    await work().finally(proceed.resolve);
    return response;
  }

  const ENDS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'gets another password': setPassword,
    'is disabled': (id) => patch(path(id), { state: 'disabled' }),
    'is erased': erase,
  };

  for (const [end, apply] of Object.entries(ENDS)) {
    test(`an identity is not linked to an account that ${end} while the provider is awaited`, async () => {
      const { user, browser } = await createLinkedUser();
      const person = newPerson();
      const url = await beginLink(browser, user.password, person);
      const response = await whileAwaited(
        () => browser.get(url),
        () => apply(user.id),
      );
      assert.deepEqual([response.status, getHeading(response)], [400, CANNOT]);
      assert.equal(await isLinked(person), false);
    });

    test(`an identity is not linked by a request that waits for its account, which ${end}`, async () => {
      const { user, browser } = await createLinkedUser();
      const person = newPerson();
      const url = await beginLink(browser, user.password, person);
      const response = await runInTurn(
        user.id,
        () => apply(user.id),
        () => browser.get(url),
      );
      assert.equal(response.status, 400);
      assert.equal(await isLinked(person), false);
    });

    test(`the question is not answered by the session of an account that ${end} before its turn`, async () => {
      const { user, browser, person } = await createLinkedUser();
      const another = newPerson({ email: user.email });
      await browser.signIn(issuer, provider.id, another);
      await browser.get(await beginSignIn(browser, person));
      const response = await runInTurn(
        user.id,
        () => apply(user.id),
        () => browser.submit(`${PAGE}/link`),
      );
      assert.equal(response.status, 400);
      assert.equal(await isLinked(another), false);
    });
  }

  test('a second press that waits for the first, which links the identity, leads to the account as well', async () => {
    const { user, browser, person } = await createLinkedUser();
    const another = newPerson({ email: user.email });
    await browser.signIn(issuer, provider.id, another);
    await browser.get(await beginSignIn(browser, person));
    const press = () => browser.submit(`${PAGE}/link`);
    const { status, headers, text } = await runInTurn(user.id, press, press);
    assert.deepEqual([status, headers.get('location')], [303, '/account'], text);
    assert.equal(await isLinked(another), true);
  });

  test('a sign-in that waits for the answer that somebody else has created the account does not get in', async () => {
    const { user, person } = await createLinkedUser();
    await database().transaction((tx) => unverify(tx, user.id));
    const owner = createBrowser(service);
    await owner.signIn(issuer, provider.id, newPerson({ email: user.email }));
    const browser = createBrowser(service);
    const url = await beginSignIn(browser, person);
    await runInTurn(
      user.id,
      () => owner.submit(`${PAGE}/not-mine`),
      () => browser.get(url),
    );
    assert.equal(owner.hasSession(), true);
    assert.equal(await countIdentities(database(), user.id), 0);
    const page = browser.hasSession() ? await browser.get('/account') : { text: '' };
    assert.equal(page.text.includes(user.email), false);
  });

  test('a sign-in that waits while its identity is unlinked does not get in', async () => {
    const { user, person } = await createLinkedUser();
    const { body } = await service.api.get(`${path(user.id)}/identities`, editor);
    const browser = createBrowser(service);
    const url = await beginSignIn(browser, person);
    await runInTurn(
      user.id,
      () => service.api.delete(`${path(user.id)}/identities/${body.data[0].id}`, editor),
      () => browser.get(url),
    );
    assert.equal(await countIdentities(database(), user.id), 0);
    const page = browser.hasSession() ? await browser.get('/account') : { text: '' };
    assert.equal(page.text.includes(user.email), false);
  });

  test('a sign-in that waits for a merge gets in to the account that has taken over its identity', async () => {
    const { user, person } = await createLinkedUser();
    const target = await register(service);
    const browser = createBrowser(service);
    const url = await beginSignIn(browser, person);
    const response = await runInTurn(
      user.id,
      () => service.api.post(`${path(target.id)}/merge`, { from: user.id }, editor),
      () => browser.get(url),
    );
    assert.equal(response.headers.get('location'), '/account', response.text);
    assert.ok((await browser.get('/account')).text.includes(target.email));
  });

  const PROVIDER_CHANGES = {
    'has another issuer': () => ({ issuer: `${issuer.url}/other` }),
    'is switched off': () => ({ enabled: false }),
  };

  test('a state is not accepted after ten minutes, the page leads on, and the housekeeping deletes it', async () => {
    const browser = createBrowser(service);
    const url = await beginSignIn(browser, newPerson(), '/account/two-step');
    await beginSignIn(browser, newPerson());
    offset = 10 * MINUTE;
    const response = await browser.get(url);
    assert.deepEqual([response.status, getHeading(response), browser.hasSession()], [400, CANNOT, false]);
    assert.match(response.text, /href="\/sign-in\?return_to=%2Faccount%2Ftwo-step"/);
    const now = Date.now() + offset;
    assert.ok((await database().transaction((tx) => deleteExpiredRequests(tx, now, 100))) >= 1);
  });

  test('a code is not accepted after ten minutes, and the housekeeping deletes what has waited for it', async () => {
    const browser = createBrowser(service);
    await browser.signIn(issuer, provider.id, newPerson({ email_verified: false }));
    offset = 10 * MINUTE;
    const late = await browser.submit(`${PAGE}/code`, { mail_code: 'AAAA-AAAA' });
    assert.match(late.text, /has expired/);
    offset = 30 * MINUTE;
    assert.equal(getHeading(await browser.get(PAGE)), CANNOT);
    const now = Date.now() + offset;
    assert.ok((await database().transaction((tx) => deleteExpiredPending(tx, now, 100))) >= 1);
  });

  test('parallel replays of one response start one session', async () => {
    const browser = createBrowser(service);
    const before = await countSessions(database());
    const url = await beginSignIn(browser, newPerson());
    const responses = await Promise.all(Array.from({ length: 8 }, () => browser.get(url)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [303, ...Array(7).fill(400)]);
    assert.equal((await countSessions(database())) - before, 1);
  });

  test('a mailed code names its network by a keyed hash only, by which the codes of an address are counted', async () => {
    const person = newPerson({ email_verified: false });
    await createBrowser(service).signIn(issuer, provider.id, person);
    const [mail] = await waitingMail(service, String(person.email));
    assert.match(JSON.parse(mail!.data).network, /^[\w-]{43}$/);
  });

  if (engine === 'postgres') return;

  for (const [change, getMembers] of Object.entries(PROVIDER_CHANGES))
    test(`no answer and no response is accepted after the provider ${change}`, async () => {
      const own = await addProvider(service, issuer, { name: change });
      const user = await register(service);
      const waiting = newPerson({ email: user.email });
      const browser = createBrowser(service);
      await browser.signIn(issuer, own.id, waiting);
      const arriving = newPerson();
      const other = createBrowser(service);
      const query = issuer.authorize(await other.begin(own.id), arriving);
      const response = await whileAwaited(
        () => other.get(`/sign-in/callback/${own.id}?${query}`),
        () => patch(`/api/v1/identity-providers/${own.id}`, getMembers()),
      );
      assert.deepEqual([response.status, getHeading(response)], [400, CANNOT]);
      const fields = { current_password: user.password, mail_code: 'AAAA-AAAA' };
      assert.equal(getHeading(await browser.get(PAGE)), CANNOT);
      for (const step of ['password', 'not-mine', 'mail-code', 'link']) {
        const answered = await browser.submit(`${PAGE}/${step}`, fields);
        assert.deepEqual([answered.status, getHeading(answered)], [400, CANNOT], step);
      }
      assert.equal(browser.hasSession(), false);
      for (const person of [waiting, arriving]) assert.equal(await isLinked(person), false);
    });

  test('while sign-in with passwords is off, questions offer none and accept none', async () => {
    const user = await register(service);
    const verified = await register(service);
    await markEmailVerified(service, verified.id);
    await patch('/api/v1/admin/settings', { PASSWORD_SIGN_IN: 'off' });
    for (const { email, password } of [user, verified]) {
      const person = newPerson({ email });
      const browser = createBrowser(service);
      await browser.signIn(issuer, provider.id, person);
      const page = await browser.get(PAGE);
      assert.doesNotMatch(page.text, /current_password|enter its password/);
      assert.match(page.text, /href="\/sign-in\?return_to=/, 'another way in');
      const response = await browser.submit(`${PAGE}/password`, { current_password: password });
      assert.equal(response.status, 404);
      assert.equal(browser.hasSession(), false);
      assert.equal(await isLinked(person), false);
    }
  });
});
