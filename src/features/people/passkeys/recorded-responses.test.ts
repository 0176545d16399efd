import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createPasskeyClient, encodeCbor } from '../../../../test/support/passkeys.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';
import { prepareRun } from '../../../database/prepare.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { readClientData } from './check-response.ts';
import { findByCredentialId, insertChallenge, insertPasskey } from './queries.ts';

type Text = Readonly<Record<string, string>>;

interface Credential {
  readonly id: string;
  readonly response: Text;
}

interface Vector {
  readonly name: string;
  readonly origin: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly cosePublicKey: string;
  readonly registration: Credential;
  readonly assertion: Credential;
}

const file = new URL('../../../../test/support/passkey-vectors.json', import.meta.url);
const vectors: readonly Vector[] = JSON.parse(readFileSync(file, 'utf8'));

/** What the registrations of the vectors say: undefined if it was without verification of the user. */
const REGISTERED: Readonly<Record<string, object | undefined>> = {
  'chromium-es256-synced': { aaguid: '01020304-0506-0708-0102-030405060708', is_synced: true },
  'chromium-u2f': undefined,
  'firefox-es256': { aaguid: '68e100a5-0b47-9104-b854-97a9ba510638', is_synced: false },
  'chromium-ed25519-usb': { aaguid: '00000000-0000-0000-0000-000000000000', is_synced: false },
};
/** Counters after the registration and after the sign-in. */
const COUNTERS: Readonly<Record<string, readonly [number, number]>> = {
  'chromium-es256-synced': [1, 2],
  'chromium-u2f': [0, 2],
  'firefox-es256': [0, 0],
  'chromium-ed25519-usb': [1, 2],
};

/** Responses of real devices, as buffers. */
const devices = createRequire(import.meta.url)('fido2-helpers').lib as Readonly<
  Record<string, { readonly rawId: ArrayBuffer; readonly response: Readonly<Record<string, ArrayBuffer>> }> &
    Text
>;
const toText = (bytes: ArrayBuffer | undefined) => (bytes ? Buffer.from(bytes).toString('base64url') : '');

function readDevice(name: string): Credential & object {
  const { rawId, response } = devices[name]!;
  const id = toText(rawId);
  const members = Object.entries(response).map(([member, bytes]) => [member, toText(bytes)]);
  return { id, rawId: id, type: 'public-key', response: Object.fromEntries(members) } as Credential;
}

/** Returns a key as authenticators write it. */
function toCose(pem: string): string {
  const jwk = createPublicKey(pem).export({ format: 'jwk' }) as Text;
  const bytes = (name: string) => Buffer.from(jwk[name]!, 'base64url');
  const key: [number, number | Buffer][] =
    jwk.kty === 'RSA'
      ? [
          [1, 3],
          [3, -257],
          [-1, bytes('n')],
          [-2, bytes('e')],
        ]
      : [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes('x')],
          [-3, bytes('y')],
        ];
  return encodeCbor(new Map(key)).toString('base64url');
}

const writeHandle = prepareRun<[id: string, handle: string]>(
  'insert into passkey_handles (user_id, handle) values ($1, $2)',
);

/** Starts a service at the origin, and returns what plays responses back to it. */
function usePlayback(origin: string) {
  const service = useService('sqlite', { environment: { PUBLIC_URL: origin } });
  const { add, send } = createPasskeyClient(service);
  const database = () => service.database;
  const storeChallenge = (purpose: 'add' | 'sign_in', userId: string | null, { response }: Credential) => {
    const hash = hashToken(readClientData(response.clientDataJSON).challenge);
    const row = { hash, purpose, user_id: userId, binding: '', expires_at: Date.now() + 60_000 };
    return database().transaction((tx) => insertChallenge(tx, row));
  };
  return {
    getReason: () => service.log.findLast(({ route }) => String(route).includes('passkey'))?.reason,
    getCounter: async ({ id }: Credential) => (await findByCredentialId(database(), id))?.counter,
    async newUser(handle: string) {
      const user = await register(service);
      await database().transaction((tx) => writeHandle(tx, user.id, handle));
      return user;
    },
    async register(user: { id: string; token: string }, credential: Credential) {
      await storeChallenge('add', user.id, credential);
      return add(user.token, credential);
    },
    /** `userId`: of the user whose email was given first. */
    async signIn(userId: string | null, credential: Credential) {
      await storeChallenge('sign_in', userId, credential);
      return send(credential);
    },
    store: (userId: string, { id }: Credential, publicKey: string) =>
      database().transaction((tx) =>
        insertPasskey(tx, {
          ...{ id: newId(), user_id: userId, credential_id: id, public_key: publicKey, counter: 0 },
          ...{ rp_id: new URL(origin).hostname, transports: '', aaguid: '', name: 'Recorded' },
          ...{ backup_eligible: 0, backed_up: 0, created_at: 0, last_used_at: null },
        }),
      ),
  };
}

for (const origin of new Set(vectors.map((vector) => vector.origin)))
  describeOnSqlite(`responses of browsers at ${origin}`, () => {
    const playback = usePlayback(origin);
    for (const vector of vectors.filter((each) => each.origin === origin)) {
      const { name, registration, assertion, userHandle, cosePublicKey } = vector;
      test(`the passkey ${name} is added if the user was verified, and signs in`, async () => {
        const user = await playback.newUser(userHandle);
        const { status, body } = await playback.register(user, registration);
        const [first, second] = COUNTERS[name]!;
        if (REGISTERED[name] === undefined) {
          assert.deepEqual([status, playback.getReason()], [400, 'verification']);
          await playback.store(user.id, registration, cosePublicKey);
        } else {
          const { aaguid, is_synced } = body.data;
          assert.deepEqual([status, { aaguid, is_synced }], [201, REGISTERED[name]]);
          assert.equal(await playback.getCounter(registration), first);
        }
        const { userHandle: sent } = assertion.response;
        assert.equal((await playback.signIn(sent === undefined ? user.id : null, assertion)).status, 200);
        assert.equal(await playback.getCounter(registration), second);
      });
    }
  });

/** Registrations, with the reason for which the service does not accept them. */
const DEVICES: Readonly<Record<string, readonly [name: string, flaw: string | null][]>> = {
  'https://localhost:8443': [
    ['makeCredentialAttestationNoneResponse', 'verification'],
    ['makeCredentialAttestationU2fResponse', 'verification'],
  ],
  'https://webauthn.org': [
    ['makeCredentialAttestationHypersecuU2fResponse', 'verification'],
    ['makeCredentialAttestationPackedResponse', 'verification'],
    ['makeCredentialAttestationTpmResponse', null],
  ],
};

for (const [origin, registrations] of Object.entries(DEVICES))
  describeOnSqlite(`responses of real devices at ${origin}`, () => {
    const playback = usePlayback(origin);
    for (const [name, flaw] of registrations)
      test(`the registration ${name} is ${flaw === null ? 'accepted' : `rejected: ${flaw}`}`, async () => {
        const { status } = await playback.register(await playback.newUser(name), readDevice(name));
        assert.equal(status, flaw === null ? 201 : 400, String(playback.getReason()));
        if (flaw !== null) assert.equal(playback.getReason(), flaw);
      });

    const [name, keyName, counter] =
      origin === 'https://webauthn.org'
        ? (['assertionResponseWindowsHello', 'assnPublicKeyWindowsHello', 1] as const)
        : (['assertionResponse', 'assnPublicKey', 363] as const);
    test(`the assertion ${name} signs in`, async () => {
      const credential = readDevice(name);
      const { userHandle } = credential.response;
      const { id } = await playback.newUser(userHandle || 'a handle');
      await playback.store(id, credential, toCose(devices[keyName] as never));
      assert.equal(
        (await playback.signIn(userHandle ? null : id, credential)).status,
        200,
        String(playback.getReason()),
      );
      assert.equal(await playback.getCounter(credential), counter);
    });
  });
