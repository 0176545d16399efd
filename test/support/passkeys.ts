/** An authenticator in software, whose responses tests can make wrong in each part, and passkeys of users. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type ApiRequest, type ApiResponse, createApi } from './api.ts';
import type { TestService } from './service.ts';
import { register } from './users.ts';

export const RP_ID = 'frontdesk.test';
export const ORIGIN = `https://${RP_ID}`;
export const PASSKEYS = '/api/v1/me/passkeys';
export const LOGIN = '/api/v1/login/passkey';
/** Environment of a service whose pages have this origin. */
export const WITH_PASSKEYS = { PUBLIC_URL: ORIGIN };

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor>;

/** Encodes the few types of values that attestations have (RFC 8949). */
export function encodeCbor(value: Cbor): Buffer {
  const head = (major: number, count: number) => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    if (count < 256) return Buffer.from([(major << 5) | 24, count]);
    return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map((each) => encodeCbor(each))]);
  return Buffer.concat([head(2, value.length), value]);
}

/** Pairs of keys by their COSE algorithm, with the members of the public key. */
const ALGORITHMS: Readonly<
  Record<string, () => { readonly privateKey: KeyObject; readonly key: readonly [number, Cbor][] }>
> = {
  '-7': () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = readJwk(publicKey);
    return {
      privateKey,
      key: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x!],
        [-3, y!],
      ],
    };
  },
  '-8': () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    return {
      privateKey,
      key: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, readJwk(publicKey).x!],
      ],
    };
  },
  '-257': () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n, e } = readJwk(publicKey);
    return {
      privateKey,
      key: [
        [1, 3],
        [3, -257],
        [-1, n!],
        [-2, e!],
      ],
    };
  },
  // Not offered by the service.
  '-35': () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const { x, y } = readJwk(publicKey);
    return {
      privateKey,
      key: [
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, x!],
        [-3, y!],
      ],
    };
  },
};

function readJwk(key: KeyObject): Readonly<Record<string, Buffer>> {
  const members = Object.entries(key.export({ format: 'jwk' }));
  return Object.fromEntries(members.map(([name, value]) => [name, Buffer.from(String(value), 'base64url')]));
}

/** What a response has in place of the right content. */
export interface ResponseChanges {
  /** Members of the client data. */
  readonly client?: object;
  readonly rpId?: string;
  /** Bits: 1 user present, 4 verified, 8 backup eligible, 16 backed up. */
  readonly flags?: number;
  readonly counter?: number;
  /** Members of the response beside the signed ones. */
  readonly response?: object;
  /** Members of the credential. */
  readonly credential?: object;
  /** Bytes appended to the signed data after it was signed. */
  readonly appended?: string;
}

interface Options {
  readonly challenge: string;
  readonly [member: string]: unknown;
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const VERIFIED = 0x05;
const ATTESTED = 0x40;

/** Creates an authenticator with one credential at one origin. */
export function createAuthenticator({
  origin = ORIGIN,
  rpId = RP_ID,
  algorithm = -7,
  aaguid = '0'.repeat(32),
} = {}) {
  const credentialId = randomBytes(32);
  const id = toText(credentialId);
  const { privateKey, key } = ALGORITHMS[algorithm]!();
  const publicKey = encodeCbor(new Map(key));
  const state = { counter: 0, handle: '' };
  const toAuthData = (
    { rpId: changed = rpId, flags = VERIFIED, counter = state.counter }: ResponseChanges,
    more = '',
  ) => {
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags);
    numbers.writeUInt32BE(counter, 1);
    return Buffer.concat([hash('sha256', changed, 'buffer'), numbers, Buffer.from(more, 'latin1')]);
  };
  const toClientData = (type: string, { challenge }: Options, { client }: ResponseChanges) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...client }));
  const wrap = (response: Readonly<Record<string, unknown>>, changes: ResponseChanges) => ({
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: { ...response, ...changes.response } as typeof response,
    ...changes.credential,
  });
  return {
    id,
    publicKey,
    state,
    /** Returns the registration for these options. */
    create(options: Options, changes: ResponseChanges = {}) {
      state.handle = (options.user as { readonly id: string } | undefined)?.id ?? '';
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.from(aaguid, 'hex'), length, credentialId, publicKey]);
      const flags = (changes.flags ?? VERIFIED) | ATTESTED;
      const authData = toAuthData({ ...changes, flags }, attested.toString('latin1'));
      const statement = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      const attestationObject = toText(encodeCbor(statement));
      const clientDataJSON = toText(toClientData('webauthn.create', options, changes));
      return wrap({ clientDataJSON, attestationObject, transports: ['internal'] }, changes);
    },
    /** Returns the assertion for these options. */
    get(options: Options, changes: ResponseChanges = {}) {
      const authData = toAuthData(changes);
      const clientData = toClientData('webauthn.get', options, changes);
      const signed = Buffer.concat([authData, hash('sha256', clientData, 'buffer')]);
      const signature = toText(
        sign(algorithm === -8 ? null : algorithm === -35 ? 'sha384' : 'sha256', signed, privateKey),
      );
      const authenticatorData = toText(Buffer.concat([authData, Buffer.from(changes.appended ?? '')]));
      const clientDataJSON = toText(clientData);
      return wrap({ clientDataJSON, authenticatorData, signature, userHandle: state.handle }, changes);
    },
  };
}

/** Returns the options of a new passkey that a page of the account has. */
export function readCreation({ text }: Pick<ApiResponse, 'text'>): Options {
  const [, creation = ''] = /data-creation="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(creation.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

/** Returns a service without PUBLIC_URL at the address that has passkeys, and the function that creates authenticators there. */
export function atLocalhost(service: TestService) {
  const origin = service.api.url.replace('127.0.0.1', 'localhost');
  return {
    origin,
    local: { ...service, api: createApi(origin) } satisfies TestService,
    newAuthenticator: () => createAuthenticator({ origin, rpId: 'localhost' }),
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Returns the functions of a browser that uses the API of the service. */
export function createPasskeyClient(service: TestService) {
  const beginLogin = async (email?: string, request?: ApiRequest): Promise<Options> => {
    const { status, text, body } = await service.api.post(`${LOGIN}/options`, { email }, request);
    assert.equal(status, 200, text);
    return body.data;
  };
  const begin = async ({ token, password }: { token: string; password: string }): Promise<Options> => {
    const response = await service.api.post(`${PASSKEYS}/options`, { current_password: password }, { token });
    assert.equal(response.status, 200, response.text);
    return response.body.data;
  };
  const add = (token: string, credential: object, name?: string): Promise<ApiResponse> =>
    service.api.post(PASSKEYS, { credential, name }, { token });
  const send = (credential: object, request?: ApiRequest) => service.api.post(LOGIN, { credential }, request);
  return {
    begin,
    beginLogin,
    add,
    send,
    /** Registers a person with a password and a passkey. */
    async newPerson(authenticator = createAuthenticator()) {
      const person = await register(service);
      const { status, text, body } = await add(person.token, authenticator.create(await begin(person)));
      assert.equal(status, 201, text);
      return { ...person, authenticator, passkey: body.data };
    },
    /** Signs in, with new options. */
    signIn: async ({ authenticator }: { authenticator: Authenticator }, changes?: ResponseChanges) =>
      send(authenticator.get(await beginLogin(), changes)),
  };
}
