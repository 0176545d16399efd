import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import {
  createAuthenticator,
  createPasskeyClient,
  ORIGIN,
  PASSKEYS,
  type ResponseChanges,
  WITH_PASSKEYS,
} from '../../../../test/support/passkeys.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { prepareGet, prepareRun } from '../../../database/prepare.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { countLiveTokens } from '../tokens/queries.ts';
import type { PasskeyFlaw } from './check-response.ts';
import { insertChallenge } from './queries.ts';

const CREATION = 'webauthn.create';
const changeRpId = prepareRun<[id: string]>("update passkeys set rp_id = 'example.org' where id = $1");
const findFailure = prepareGet<{ reason: string; data: string }>(
  "select reason, data from events where type = 'login.failed' order by id desc limit 1",
);
const toText = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const random = () => randomBytes(32).toString('base64url');

type Client = ReturnType<typeof createPasskeyClient>;
type Person = Awaited<ReturnType<Client['newPerson']>>;
type Options = Awaited<ReturnType<Client['begin']>>;

describeOnEachEngine('hostile responses of authenticators', (engine) => {
  const clock = manualClock(Date.now());
  const service = useService(engine, { environment: WITH_PASSKEYS, clock });
  const client = createPasskeyClient(service);
  const { newPerson, begin, beginLogin, add, send } = client;
  const database = () => service.database;
  const getReason = () => service.log.findLast(({ route }) => String(route).includes('passkey'))?.reason;
  const storeChallenge = async (binding: string): Promise<Options> => {
    const challenge = random();
    const row = { hash: hashToken(challenge), purpose: 'sign_in', user_id: null, binding } as const;
    const expires_at = clock.now + MINUTE;
    await database().transaction((tx) => insertChallenge(tx, { ...row, expires_at }));
    return { challenge };
  };

  /** Makes a response that is wrong in one part. */
  type Make = (attack: { person: Person; other: Person; options: Options }) => object | Promise<object>;

  /** An assertion of the person with these changes. */
  const changed =
    (changes: ResponseChanges): Make =>
    ({ person, options }) =>
      person.authenticator.get(options, changes);
  const withClient = (client: object) => changed({ client });
  const withResponse = (response: object) => changed({ response });
  const withId = (id: string) => changed({ credential: { id, rawId: id } });
  /** An assertion of the person for another challenge. */
  const forChallenge =
    (create: (attack: Parameters<Make>[0]) => Options | Promise<Options>): Make =>
    async (attack) =>
      attack.person.authenticator.get(await create(attack));

  const replaceSignature =
    (signer: Person['authenticator'], changes: ResponseChanges = {}): Make =>
    ({ person, options }) => {
      const { signature } = signer.get(options, changes).response;
      return person.authenticator.get(options, { response: { signature } });
    };

  const ASSERTIONS: readonly [name: string, flaw: PasskeyFlaw, make: Make][] = [
    ['the origin of another site', 'origin', withClient({ origin: 'https://evil.example' })],
    ['an origin with a slash at its end', 'origin', withClient({ origin: `${ORIGIN}/` })],
    ['an origin without TLS', 'origin', withClient({ origin: ORIGIN.replace('https', 'http') })],
    ['an origin with another port', 'origin', withClient({ origin: `${ORIGIN}:8443` })],
    ['an origin below that of the service', 'origin', withClient({ origin: 'https://a.frontdesk.test' })],
    ['an origin that is a list', 'origin', withClient({ origin: [ORIGIN, 'https://evil.example'] })],
    ['no origin', 'origin', withClient({ origin: undefined })],
    ['the type of a registration', 'type', withClient({ type: CREATION })],
    ['no type', 'type', withClient({ type: undefined })],
    ['a frame of another origin', 'embedded', withClient({ crossOrigin: true })],
    [
      'a frame in a page of another origin',
      'embedded',
      withClient({ crossOrigin: true, topOrigin: 'https://evil.example' }),
    ],
    ['a frame in a page of the same origin', 'embedded', withClient({ topOrigin: ORIGIN })],
    ['a crossOrigin that is a text', 'embedded', withClient({ crossOrigin: 'false' })],
    ['the RP ID of another site', 'relying_party', changed({ rpId: 'evil.example' })],
    ['an RP ID above', 'relying_party', changed({ rpId: 'test' })],
    ['no presence', 'presence', changed({ flags: 0 })],
    ['verification without presence', 'presence', changed({ flags: 4 })],
    ['a backup of a passkey that has none', 'backup_state', changed({ flags: 0x15 })],
    ['a challenge that nobody has given', 'challenge', withClient({ challenge: random() })],
    [
      'a challenge in another spelling',
      'challenge',
      forChallenge(({ options }) => ({ challenge: `${options.challenge}=` })),
    ],
    ['an empty challenge', 'challenge', withClient({ challenge: '' })],
    ['a challenge of another browser', 'challenge', forChallenge(() => storeChallenge(hashToken('cookie')))],
    ['a challenge of an addition', 'challenge', forChallenge(({ person }) => begin(person))],
    [
      'a replayed response',
      'challenge',
      async ({ person, options }) => {
        const credential = person.authenticator.get(options);
        assert.equal((await send(credential)).status, 200);
        return credential;
      },
    ],
    [
      'a challenge that a wrong signature has used up',
      'challenge',
      async ({ person, options }) => {
        const { authenticator } = person;
        assert.equal(
          (await send(authenticator.get(options, { response: { signature: 'AAAA' } }))).status,
          401,
        );
        return authenticator.get(options);
      },
    ],
    ['a challenge of another user', 'user_handle', forChallenge(({ other }) => beginLogin(other.email))],
    ['no handle after no email', 'user_handle', withResponse({ userHandle: undefined })],
    ['a handle that is null', 'user_handle', withResponse({ userHandle: null })],
    ['an empty handle', 'user_handle', withResponse({ userHandle: '' })],
    [
      'a handle that is a list',
      'user_handle',
      (attack) => withResponse({ userHandle: [attack.person.authenticator.state.handle] })(attack),
    ],
    [
      'the handle of another user',
      'user_handle',
      (attack) => withResponse({ userHandle: attack.other.authenticator.state.handle })(attack),
    ],
    [
      'the credential of another user',
      'user_handle',
      (attack) => withId(attack.other.authenticator.id)(attack),
    ],
    [
      'the credential and the handle of another user',
      'signature',
      ({ person, other: { authenticator }, options }) =>
        person.authenticator.get(options, {
          credential: { id: authenticator.id, rawId: authenticator.id },
          response: { userHandle: authenticator.state.handle },
        }),
    ],
    ['an unknown credential', 'unknown_credential', withId(random())],
    [
      'an id with padding',
      'unknown_credential',
      (attack) => withId(`${attack.person.authenticator.id}=`)(attack),
    ],
    ['an empty id', 'unknown_credential', withId('')],
    [
      'a credential of another domain',
      'unknown_credential',
      async ({ options }) => {
        const { authenticator, passkey } = await newPerson();
        await database().transaction((tx) => changeRpId(tx, passkey.id));
        return authenticator.get(options);
      },
    ],
    [
      'a credential that was removed',
      'unknown_credential',
      async ({ options }) => {
        const { authenticator, id, passkey } = await newPerson();
        assert.equal(
          (await service.api.delete(`/api/v1/users/${id}/passkeys/${passkey.id}`, admin)).status,
          204,
        );
        return authenticator.get(options);
      },
    ],
    ['another rawId', 'malformed', changed({ credential: { rawId: random() } })],
    ['another type of credential', 'malformed', changed({ credential: { type: 'password' } })],
    [
      'a signature of other data',
      'signature',
      (attack) => replaceSignature(attack.person.authenticator, { counter: 7 })(attack),
    ],
    [
      'the signature of another key',
      'signature',
      (attack) => replaceSignature(attack.other.authenticator)(attack),
    ],
    [
      'a signature of another algorithm',
      'malformed',
      replaceSignature(createAuthenticator({ algorithm: -257 })),
    ],
    ['an empty signature', 'malformed', withResponse({ signature: '' })],
    ['a signature that is no base64url', 'malformed', withResponse({ signature: 'a b?' })],
    ['a signature that is a number', 'malformed', withResponse({ signature: 7 })],
    ['bytes after the signed ones', 'malformed', changed({ appended: 'more' })],
    ['too few bytes', 'malformed', withResponse({ authenticatorData: 'AAAA' })],
    ['no authenticator data', 'malformed', withResponse({ authenticatorData: undefined })],
    ['client data that is no JSON', 'malformed', withResponse({ clientDataJSON: 'AAAA' })],
    ['client data that is null', 'malformed', withResponse({ clientDataJSON: toText(null) })],
    ['a challenge that is a number', 'malformed', withResponse({ clientDataJSON: toText({ challenge: 7 }) })],
    ['no client data', 'malformed', withResponse({ clientDataJSON: undefined })],
  ];

  let pair: Promise<readonly [Person, Person]> | undefined;
  const getPair = () => (pair ??= Promise.all([newPerson(), newPerson()]));

  for (const [name, flaw, make] of ASSERTIONS)
    test(`a sign-in with ${name} gets no token, and the reason ${flaw} in log and event`, async () => {
      const [person, other] = await getPair();
      // Events of one cause are counted after some in an hour.
      clock.now += HOUR;
      const credential = await make({ person, other, options: await beginLogin() });
      const count = async () =>
        (
          await Promise.all([person, other].map(({ id }) => countLiveTokens(database(), id, clock.now)))
        ).join();
      const before = await count();
      const { status, headers, text } = await send(credential);
      assert.deepEqual(
        [status, JSON.parse(text)],
        [401, { error: 'The passkey is not accepted', code: 'invalid_passkey' }],
      );
      assert.equal(headers.get('www-authenticate'), 'Bearer realm="api"');
      assert.equal(await count(), before);
      assert.equal(getReason(), flaw);
      const { reason, data } = (await findFailure(database()))!;
      assert.deepEqual([reason, JSON.parse(data).details], ['passkey', { detail: flaw }]);
    });

  const attest =
    (changes: ResponseChanges, algorithm = -7): Make =>
    ({ options }) =>
      createAuthenticator({ algorithm }).create(options, changes);

  const attestWithId =
    (toId: (id: string) => string): Make =>
    ({ options }) => {
      const authenticator = createAuthenticator();
      const id = toId(authenticator.id);
      return authenticator.create(options, { credential: { id, rawId: id } });
    };

  const ATTESTATIONS: readonly [name: string, flaw: PasskeyFlaw, make: Make][] = [
    ['the origin of another site', 'origin', attest({ client: { origin: 'https://evil.example' } })],
    ['the type of a sign-in', 'type', attest({ client: { type: 'webauthn.get' } })],
    ['a frame of another origin', 'embedded', attest({ client: { crossOrigin: true } })],
    ['a frame in another page', 'embedded', attest({ client: { topOrigin: ORIGIN } })],
    ['the RP ID of another site', 'relying_party', attest({ rpId: 'evil.example' })],
    ['no presence', 'presence', attest({ flags: 4 })],
    ['no verification of the user', 'verification', attest({ flags: 1 })],
    ['a backup of a passkey that has none', 'backup_state', attest({ flags: 0x15 })],
    ['an algorithm that was not offered', 'algorithm', attest({}, -35)],
    ['a challenge of a sign-in', 'challenge', async () => createAuthenticator().create(await beginLogin())],
    [
      'a challenge of another user',
      'challenge',
      async ({ other }) => createAuthenticator().create(await begin(other)),
    ],
    ['another id than the attested one', 'credential_id', attestWithId(random)],
    ['an id with padding', 'credential_id', attestWithId((id) => `${id}=`)],
    [
      'a statement that was not asked for',
      'attestation',
      ({ options }) => {
        const credential = createAuthenticator().create(options);
        const bytes = Buffer.from(String(credential.response.attestationObject), 'base64url');
        const text = bytes.toString('latin1');
        // The format `tpm` needs a statement.
        const attestationObject = Buffer.from(text.replace('dnone', 'ctpm'), 'latin1').toString('base64url');
        return { ...credential, response: { ...credential.response, attestationObject } };
      },
    ],
    ['an attestation that is no CBOR', 'malformed', attest({ response: { attestationObject: '____' } })],
    ['no attestation', 'malformed', attest({ response: { attestationObject: undefined } })],
    ['another rawId', 'attestation', attest({ credential: { rawId: random() } })],
    [
      'the credential of another user',
      'registered',
      ({ other, options }) => {
        const { handle } = other.authenticator.state;
        const credential = other.authenticator.create(options);
        other.authenticator.state.handle = handle;
        return credential;
      },
    ],
  ];

  for (const [name, flaw, make] of ATTESTATIONS)
    test(`a new passkey with ${name} is not stored, and the log has the reason ${flaw}`, async () => {
      const [person, other] = await getPair();
      const credential = await make({ person, other, options: await begin(person) });
      const { status, body } = await add(person.token, credential);
      assert.deepEqual([status, body.errors], [400, { credential: ['The passkey is not accepted.'] }]);
      assert.equal(getReason(), flaw);
      const { body: list } = await service.api.get(PASSKEYS, { token: person.token });
      assert.equal(list.data.length, 1);
    });

  test('a lie about the public key and unknown transports have no effect', async () => {
    const person = await newPerson();
    const authenticator = createAuthenticator();
    const response = {
      publicKey: 'AAAA',
      publicKeyAlgorithm: -257,
      transports: [7, {}, 'pigeon', 'usb', null],
    };
    const added = await add(person.token, authenticator.create(await begin(person), { response }));
    assert.deepEqual([added.status, added.body.data.name], [201, 'Security key']);
    assert.equal((await send(authenticator.get(await beginLogin()))).status, 200);
    const { allowCredentials } = await beginLogin(person.email);
    assert.deepEqual((allowCredentials as object[])[1], {
      id: authenticator.id,
      transports: ['usb'],
      type: 'public-key',
    });
  });

  if (engine === 'postgres') return;

  test('a response of more than 16 KiB is rejected with 413, and one without its members with 400', async () => {
    const person = await newPerson();
    const codes = ({ status, body }: ApiResponse) => [status, body.code];
    const extra = { extra: 'a'.repeat(16_384) };
    const options = await beginLogin();
    assert.deepEqual(codes(await send(person.authenticator.get(options, { response: extra }))), [
      413,
      'payload_too_large',
    ]);
    assert.equal(
      (await add(person.token, createAuthenticator().create(options, { response: extra }))).status,
      413,
    );
    for (const credential of [{}, { id: person.authenticator.id }, 'text', null, []])
      assert.deepEqual(codes(await send(credential as object)), [400, 'validation_failed']);
  });
});
