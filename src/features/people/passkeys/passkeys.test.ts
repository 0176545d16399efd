import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import {
  createAuthenticator,
  createPasskeyClient,
  LOGIN,
  PASSKEYS,
  WITH_PASSKEYS,
} from '../../../../test/support/passkeys.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { createTestLink, listEvents, waitingKinds } from '../../../../test/support/processes/recovery.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { editor, useService } from '../../../../test/support/service.ts';
import { codeAt, STEP_MS } from '../../../../test/support/totp.ts';
import { ANSWER_PATH, enrolUser } from '../../../../test/support/user-totp.ts';
import { markEmailVerified, register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { MINUTE } from '../../../lib/time.ts';
import { insertIdentity, listIdentities } from '../../identity-providers/queries.ts';

const withoutPassword = sql('update users set password_hash = null where id = $1');
const codeIn = ({ status, body }: ApiResponse) => [status, body?.code];

describeOnEachEngine('passkeys', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { environment: WITH_PASSKEYS, clock });
  const client = createPasskeyClient(service);
  const { newPerson, signIn, begin, beginLogin, add, send } = client;
  const remove = (token: string, id: string, password?: string) =>
    service.api.request('DELETE', `${PASSKEYS}/${id}`, { token, body: { current_password: password } });
  const forgetPassword = (id: string) => service.database.transaction((tx) => tx.run(withoutPassword, id));

  /** Signs in with options that the service has not given. */
  const signInWith = ({ authenticator }: Awaited<ReturnType<typeof newPerson>>) =>
    send(authenticator.get({ challenge: 'A'.repeat(43) }));

  for (const algorithm of [-7, -257, -8])
    test(`a passkey of algorithm ${algorithm} signs its user in, with and without the email`, async () => {
      const person = await newPerson(createAuthenticator({ algorithm }));
      const { authenticator, email } = person;
      const discovered = await signIn(person);
      assert.equal(discovered.status, 200, discovered.text);
      const me = await service.api.get('/api/v1/me', { token: discovered.body.access_token });
      assert.equal(me.body.data.id, person.id);
      const options = await beginLogin(email.toUpperCase());
      assert.deepEqual(options.allowCredentials, [
        { id: authenticator.id, transports: ['internal'], type: 'public-key' },
      ]);
      // Security keys that are given the list need not send the handle.
      const response = { userHandle: undefined };
      assert.equal((await send(authenticator.get(options, { response }))).status, 200);
      assert.deepEqual((await listEvents(service, person.id)).slice(-3), [
        'passkey.added by user',
        'login.succeeded by user',
        'login.succeeded by user',
      ]);
    });

  test('the options of a new passkey name the user by 32 random bytes, and exclude those that there are', async () => {
    const person = await newPerson();
    const options = await begin(person);
    const { user, excludeCredentials, pubKeyCredParams, authenticatorSelection } = options as never as Record<
      string,
      // biome-ignore lint/suspicious/noExplicitAny: options of the library
      any
    >;
    assert.equal(Buffer.from(user.id, 'base64url').length, 32);
    assert.equal(user.id, person.authenticator.state.handle);
    assert.deepEqual([user.name, user.displayName], [person.email, person.name]);
    assert.deepEqual(pluck(excludeCredentials, 'id'), [person.authenticator.id]);
    assert.deepEqual(pluck(pubKeyCredParams, 'alg'), [-7, -257, -8]);
    assert.deepEqual(authenticatorSelection, {
      residentKey: 'required',
      userVerification: 'required',
      requireResidentKey: true,
    });
    const other = await newPerson();
    assert.notEqual(other.authenticator.state.handle, user.id);
  });

  test('one of several concurrent sign-ins and additions with the same challenge is successful', async () => {
    const person = await newPerson();
    const assertion = person.authenticator.get(await beginLogin());
    const logins = await Promise.all(Array.from({ length: 8 }, () => send(assertion)));
    assert.deepEqual(logins.map(({ status }) => status).sort(), [200, ...Array(7).fill(401)]);
    const attestation = createAuthenticator().create(await begin(person));
    const added = await Promise.all(Array.from({ length: 8 }, () => add(person.token, attestation)));
    assert.deepEqual(added.map(({ status }) => status).sort(), [201, ...Array(7).fill(400)]);
  });

  test('a counter that has not risen signs in, with an event and a notice, and only after a right signature', async () => {
    const person = await newPerson();
    await markEmailVerified(service, person.id);
    const getFallen = async () =>
      (await listEvents(service, person.id)).filter((event) => event.startsWith('passkey.counter_fell'));
    for (const [counter, fallen] of [
      [0, 0],
      [7, 0],
      [8, 0],
      [8, 1],
      [3, 2],
      [4, 2],
      [0, 3],
    ] as const) {
      const forged = { counter: 0, appended: 'x' };
      assert.equal((await signIn(person, forged)).status, 401);
      assert.equal((await signIn(person, { counter })).status, 200, `${counter}`);
      assert.equal((await getFallen()).length, fallen, `${counter}`);
    }
    assert.ok((await waitingKinds(service, person.email)).includes('passkey_counter_fell'));
  });

  test('a passkey that has verified its user needs no code of the second factor, and another one does', async () => {
    const person = await newPerson();
    const { appSecret } = await enrolUser(service, person, clock.now);
    assert.equal((await signIn(person)).status, 200);
    const rejected = await signIn(person, { flags: 1 });
    assert.deepEqual(codeIn(rejected), [403, 'second_factor_required']);
    clock.now += STEP_MS;
    const answer = { challenge: rejected.body.challenge, code: codeAt(appSecret, clock.now) };
    assert.equal((await service.api.post(ANSWER_PATH, answer)).status, 200);
  });

  test('a passkey is named after its authenticator, renamed, listed and removed, with events and notices', async () => {
    const person = await newPerson(createAuthenticator({ aaguid: 'ea9b8d664d011d213ce4b6b48cb575d4' }));
    const { token, password, id } = person;
    await markEmailVerified(service, id);
    const list = async () => (await service.api.get(PASSKEYS, { token })).body.data;
    const addAnother = async (name?: string, aaguid?: string) => {
      const authenticator = createAuthenticator(aaguid === undefined ? {} : { aaguid });
      return (await add(token, authenticator.create(await begin(person)), name)).body.data;
    };
    await addAnother(undefined, 'ea9b8d664d011d213ce4b6b48cb575d4');
    const own = await addAnother(' My phone ');
    await addAnother();
    assert.deepEqual(pluck(await list(), 'name'), [
      'Google Password Manager',
      'Google Password Manager 2',
      'My phone',
      'Passkey',
    ]);
    const path = `${PASSKEYS}/${own.id}`;
    const renamed = await service.api.patch(path, { name: 'Old phone' }, { token });
    assert.deepEqual([renamed.status, renamed.body.data.name], [200, 'Old phone']);
    assert.deepEqual(codeIn(await remove(token, own.id)), [400, 'validation_failed']);
    assert.deepEqual(codeIn(await remove(token, own.id, 'a wrong password')), [400, 'validation_failed']);
    assert.equal((await remove(token, own.id, password)).status, 204);
    assert.deepEqual(codeIn(await remove(token, own.id, password)), [404, 'passkey_not_found']);
    const stranger = await newPerson();
    for (const response of [
      await service.api.patch(`${PASSKEYS}/${stranger.passkey.id}`, { name: 'Mine' }, { token }),
      await remove(token, stranger.passkey.id, password),
    ])
      assert.deepEqual(codeIn(response), [404, 'passkey_not_found']);
    assert.equal((await list()).length, 3);
    assert.ok((await listEvents(service, id)).includes('passkey.renamed by user'));
    assert.equal((await listEvents(service, id)).at(-1), 'passkey.removed by user');
    const kinds = await waitingKinds(service, person.email);
    for (const kind of ['passkey_added', 'passkey_removed']) assert.ok(kinds.includes(kind), kind);
  });

  test('a passkey is added only with the password, and a user has at most 20', async () => {
    const person = await newPerson();
    const { token } = person;
    for (const current_password of [undefined, 'a wrong password'])
      assert.deepEqual(
        codeIn(await service.api.post(`${PASSKEYS}/options`, { current_password }, { token })),
        [400, 'validation_failed'],
      );
    const waiting = createAuthenticator();
    const options = await begin(person);
    for (let count = 1; count < 20; count++)
      assert.equal((await add(token, createAuthenticator().create(await begin(person)))).status, 201);
    assert.deepEqual(codeIn(await add(token, waiting.create(options))), [409, 'too_many_passkeys']);
    const { password: current_password } = person;
    assert.deepEqual(codeIn(await service.api.post(`${PASSKEYS}/options`, { current_password }, { token })), [
      409,
      'too_many_passkeys',
    ]);
  });

  test('the last way in that works cannot be removed, by the user or the administrator', async () => {
    const person = await newPerson();
    const path = `/api/v1/users/${person.id}/passkeys`;
    const removeAsAdmin = (id: string) => service.api.delete(`${path}/${id}`, editor);
    const { body } = await add(person.token, createAuthenticator().create(await begin(person)));
    await forgetPassword(person.id);
    // A passkey is a way in only with a verified email: without the passkey, a message can still lead there.
    assert.deepEqual(codeIn(await removeAsAdmin(body.data.id)), [409, 'last_way_in']);
    await markEmailVerified(service, person.id);
    assert.equal((await removeAsAdmin(body.data.id)).status, 204);
    assert.deepEqual(codeIn(await removeAsAdmin(body.data.id)), [404, 'passkey_not_found']);
    assert.equal((await listEvents(service, person.id)).at(-1), 'passkey.removed by administrator');
    assert.deepEqual(codeIn(await removeAsAdmin(person.passkey.id)), [409, 'last_way_in']);
    assert.deepEqual(
      (await service.api.get(path, editor)).body.data.map(({ id }: { id: string }) => id),
      [person.passkey.id],
    );
    const settings = '/api/v1/admin/settings';
    const patch = (PASSKEY_SIGN_IN: string) => service.api.patch(settings, { PASSKEY_SIGN_IN }, editor);
    const other = await newPerson();
    await markEmailVerified(service, other.id);
    assert.equal((await patch('off')).status, 200);
    assert.deepEqual(codeIn(await service.api.post(`${LOGIN}/options`, {})), [403, 'passkeys_unavailable']);
    assert.deepEqual(codeIn(await signInWith(other)), [403, 'passkeys_unavailable']);
    assert.equal((await remove(other.token, other.passkey.id, other.password)).status, 204);
    assert.equal((await patch('on')).status, 200);
  });

  test('a disabled user keeps the passkeys, which do not sign in meanwhile; erasing removes them, a new password does not, and a reset does, with identities, if nobody had verified the email', async () => {
    const person = await newPerson();
    const change = { current_password: person.password, password: 'another good password' };
    assert.equal((await service.api.put('/api/v1/me/password', change, { token: person.token })).status, 200);
    assert.equal((await signIn(person)).status, 200);
    for (const [state, status] of [
      ['disabled', 401],
      ['active', 200],
    ] as const) {
      assert.equal((await service.api.patch(`/api/v1/users/${person.id}`, { state }, editor)).status, 200);
      assert.equal((await signIn(person)).status, status);
    }
    const erased = await newPerson();
    assert.equal((await service.api.delete(`/api/v1/users/${erased.id}`, editor)).status, 204);
    assert.deepEqual(codeIn(await signIn(erased)), [401, 'invalid_passkey']);
    for (const isVerified of [true, false]) {
      const user = await newPerson();
      if (isVerified) await markEmailVerified(service, user.id);
      const times = { created_at: clock.now, last_used_at: clock.now };
      const identity = {
        id: newId(),
        user_id: user.id,
        issuer: 'https://login.example.com',
        subject: user.id,
      };
      const { database } = service;
      await database.transaction((tx) => insertIdentity(tx, { ...identity, email: user.email, ...times }));
      const link = await createTestLink(service, 'reset_password', { user, now: clock.now });
      const password = 'another good password';
      assert.equal((await service.api.post(`/api/v1/password-resets/${link}`, { password })).status, 200);
      assert.equal((await signIn(user)).status, isVerified ? 200 : 401);
      assert.equal((await listIdentities(database, user.id)).length, isVerified ? 1 : 0);
    }
  });

  test('unknown emails and accounts without a passkey get the same kind of list, always the same one', async () => {
    const { email } = await register(service);
    for (const address of [email, 'nobody@example.com', 'nobody-else@example.com']) {
      const [first, again] = [await beginLogin(address), await beginLogin(address.toUpperCase())];
      assert.deepEqual(first.allowCredentials, again.allowCredentials);
      assert.notEqual(first.challenge, again.challenge);
      const list = first.allowCredentials as { id: string; type: string }[];
      assert.ok(list.length === 1 || list.length === 2);
      for (const { id, type } of list) {
        assert.equal(type, 'public-key');
        assert.equal(Buffer.from(id, 'base64url').length, 32);
      }
    }
  });

  test('a challenge is valid for five minutes', async () => {
    const person = await newPerson();
    const [inTime, late] = [await beginLogin(), await beginLogin()];
    clock.now += 5 * MINUTE - 1;
    assert.equal((await send(person.authenticator.get(inTime))).status, 200);
    clock.now += 1;
    assert.deepEqual(codeIn(await send(person.authenticator.get(late))), [401, 'invalid_passkey']);
  });
});
