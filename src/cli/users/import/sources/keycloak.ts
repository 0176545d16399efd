/** Keycloak: `users` of a realm export, with the hashes in texts of JSON. */
import { RejectedEntry } from '../../../../features/users/read-entry.ts';
import { isObject, type RawRecord } from '../read-records.ts';
import { isTrue, parseJson, readMetadata, readTextMember, type Source, toText } from './source.ts';

export const keycloak: Source = {
  list: 'users',
  members: [
    ...['email', 'firstName', 'lastName', 'emailVerified', 'enabled'],
    ...['createdTimestamp', 'credentials', 'serviceAccountClientId', 'attributes'],
  ],
  toEntry(user) {
    if (readTextMember(user, 'serviceAccountClientId') !== undefined)
      throw new RejectedEntry('The user is the service account of a client.');
    const credentials = listCredentials(user);
    const password = credentials.find(({ type }) => type === 'password');
    const names = [readTextMember(user, 'firstName'), readTextMember(user, 'lastName')];
    return {
      email: user.email,
      name: names.filter((each) => each !== undefined).join(' '),
      passwordHash: password === undefined ? undefined : toHash(password),
      isDisabled: user.enabled !== undefined && !isTrue(user, 'enabled'),
      verified: isTrue(user, 'emailVerified'),
      createdAt: user.createdTimestamp,
      // Whether a user may write an attribute is not in the export.
      appMetadata: readMetadata({ attributes: toSingleValues(user.attributes) }, 'attributes'),
      dropped: credentials.filter((each) => each !== password).map(({ type }) => `credentials.${type}`),
    };
  },
};

/** Every attribute is a list of texts, and most have one. */
function toSingleValues(attributes: unknown): unknown {
  if (!isObject(attributes)) return attributes;
  const single = (value: unknown) => (Array.isArray(value) && value.length === 1 ? value[0] : value);
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, single(value)]));
}

function listCredentials({ credentials = [] }: RawRecord): RawRecord[] {
  if (Array.isArray(credentials) && credentials.every(isObject)) return credentials;
  throw new RejectedEntry('credentials must be a list of objects.');
}

/** Realms before Keycloak 8 have the parts of the hash in the credential itself. */
function toHash(credential: RawRecord): string {
  const data = { ...parse(credential.credentialData), ...parse(credential.secretData) };
  const algorithm = readTextMember({ algorithm: credential.algorithm ?? data.algorithm }, 'algorithm');
  const value = encode(credential.hashedSaltedValue ?? data.value);
  const salt = encode(credential.salt ?? data.salt);
  const iterations = credential.hashIterations ?? data.hashIterations;
  if (algorithm === 'argon2') {
    const costs = readArgon2Costs(parse(credential.credentialData).additionalParameters);
    return `$argon2${costs.type}$v=${costs.version}$m=${costs.memory},t=${iterations},p=${costs.lanes}$${salt}$${value}`;
  }
  const digest = /^pbkdf2(?:-(sha256|sha512))?$/.exec(algorithm ?? '');
  if (digest === null)
    throw new RejectedEntry(
      'The algorithm of the password is neither argon2 nor pbkdf2 with SHA-1, SHA-256 or SHA-512.',
    );
  return `$pbkdf2-${digest[1] ?? 'sha1'}$i=${iterations}$${salt}$${value}`;
}

function parse(text: unknown): RawRecord {
  const value = parseJson(text);
  if (value === null) return {};
  if (isObject(value)) return value;
  throw new RejectedEntry('secretData and credentialData must be texts with a JSON object.');
}

/** PHC strings have Base64 without padding. */
function encode(value: unknown): string {
  if (typeof value === 'string') return value.replace(/=+$/, '');
  throw new RejectedEntry('The credential of the password has no hash or no salt.');
}

const VERSIONS: Readonly<Record<string, number>> = { '1.0': 16, '1.3': 19 };

/** Each parameter is a list with one text. */
function readArgon2Costs(parameters: unknown) {
  const read = (name: string) => toText([isObject(parameters) ? parameters[name] : ''].flat()[0]);
  return {
    type: read('type'),
    version: VERSIONS[read('version')] ?? read('version'),
    memory: read('memory'),
    lanes: read('parallelism'),
  };
}
