/** Small exports of other products in `samples`, written after their documentation, and the users that they have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ExpectedUser {
  readonly email: string;
  readonly name: string | null;
  /** null for users who have none. */
  readonly password: string | null;
  readonly state: 'active' | 'disabled' | 'unclaimed';
  /** A time, or whether there is one. */
  readonly verified: string | boolean;
  /** null if the export does not state it. */
  readonly createdAt: string | null;
  readonly userMetadata: object;
  readonly appMetadata: object;
}

export interface ExportedUsers {
  readonly product: string;
  /** Names and contents; the first is the file with the users. Options refer to the others by their names. */
  readonly files: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  readonly users: readonly ExpectedUser[];
  readonly rejected: readonly RegExp[];
  readonly dropped: Readonly<Record<string, number>>;
  readonly unusedPasswords: number | null;
}

const CREATED = '2024-01-31T12:00:00.000Z';

const readSamples = (...names: string[]) =>
  Object.fromEntries(
    names.map((name) => [name, readFileSync(join(import.meta.dirname, 'samples', name), 'utf8')]),
  );

const expect = (email: string, user: Partial<ExpectedUser> = {}): ExpectedUser => ({
  email,
  name: null,
  password: null,
  state: 'active',
  verified: true,
  createdAt: CREATED,
  userMetadata: {},
  appMetadata: {},
  ...user,
});

/** The PBKDF2 hashes are by hashlib of Python, argon2 by @node-rs/argon2. */
const keycloak: ExportedUsers = {
  product: 'keycloak',
  files: readSamples('realm.json'),
  options: {},
  users: [
    expect('ada@keycloak.example', {
      name: 'Ada Lovelace',
      password: 'keycloak before 24',
      appMetadata: { locale: 'de', groups: ['a', 'b'] },
    }),
    expect('grace@keycloak.example', {
      name: 'Hopper',
      password: 'keycloak since 24 ß',
      state: 'disabled',
      verified: false,
    }),
    expect('old@keycloak.example', { password: 'keycloak of 2015' }),
    expect('new@keycloak.example', { password: 'keycloak since 25' }),
    expect('social@keycloak.example', { state: 'unclaimed', verified: false }),
    expect('blocked@keycloak.example', { state: 'disabled', verified: false }),
  ],
  rejected: [/service account/, /email/, /PBKDF2 .*more than 2000000/],
  dropped: { attributes: 1, 'credentials.otp': 1, id: 1, username: 2 },
  unusedPasswords: null,
};

/** The hashes are by bcryptjs, with a small cost. */
const auth0: ExportedUsers = {
  product: 'auth0',
  files: readSamples('auth0.ndjson', 'hashes.ndjson'),
  options: { '--passwords': 'hashes.ndjson' },
  users: [
    expect('ada@auth0.example', {
      name: 'Ada Lovelace',
      password: 'auth0 first one',
      userMetadata: { theme: 'dark' },
      appMetadata: { plan: { name: 'team' } },
    }),
    expect('grace@auth0.example', { password: 'auth0 zwölf', state: 'disabled', verified: false }),
    expect('social@auth0.example', { state: 'unclaimed' }),
  ],
  rejected: [/Another user with this email/, /email/],
  dropped: { app_metadata: 1, nickname: 1, phone_number: 1, user_metadata: 1 },
  unusedPasswords: 1,
};

/** The hashes are by firebase-scrypt, with a small memory cost. */
const firebase: ExportedUsers = {
  product: 'firebase',
  files: readSamples('firebase.json', 'hash-config.txt'),
  options: { '--hash-config': 'hash-config.txt' },
  users: [
    expect('ada@firebase.example', {
      name: 'Ada',
      password: 'first user of firebase',
      appMetadata: { role: 'editor' },
    }),
    expect('grace@firebase.example', { password: 'zweiter Nützer', state: 'disabled', verified: false }),
    expect('social@firebase.example', { state: 'unclaimed' }),
  ],
  rejected: [/email/, /lacks the permission/],
  dropped: { customAttributes: 1, lastSignedInAt: 1, localId: 4, phoneNumber: 1, providerUserInfo: 1 },
  unusedPasswords: null,
};

/** The hashes are by bcryptjs, with a small cost. */
const supabase: ExportedUsers = {
  product: 'supabase',
  files: readSamples('supabase.csv'),
  options: {},
  users: [
    expect('ada@supabase.example', {
      name: 'Ada, Countess',
      password: 'supabase first',
      verified: '2024-02-01T12:00:00.123Z',
      userMetadata: { theme: 'dark' },
      appMetadata: { customer_id: 'c-1' },
    }),
    expect('grace@supabase.example', { password: 'supabase first', state: 'disabled', verified: false }),
    expect('social@supabase.example', {
      name: 'Sam',
      state: 'unclaimed',
      verified: '2024-02-01T12:00:00.000Z',
    }),
  ],
  rejected: [/email/, /deleted/, /raw_user_meta_data/],
  dropped: { id: 4, is_anonymous: 1, 'raw_app_meta_data.provider': 1, 'raw_user_meta_data.sub': 1 },
  unusedPasswords: null,
};

/** The hashes are by bcryptjs, with a small cost. */
const pocketbase: ExportedUsers = {
  product: 'pocketbase',
  files: readSamples('pocketbase.json'),
  options: {},
  users: [
    expect('ada@pocketbase.example', { name: 'Ada', password: 'pocketbase first' }),
    expect('grace@pocketbase.example', { password: 'pocketbase first', verified: false }),
  ],
  rejected: [/email/, /not a JSON object/],
  dropped: { id: 3, tokenKey: 1 },
  unusedPasswords: null,
};

/** The hashes are by better-auth. */
const betterAuth: ExportedUsers = {
  product: 'better-auth',
  files: readSamples('user.json', 'account.json'),
  options: { '--passwords': 'account.json' },
  users: [
    expect('ada@better-auth.example', { name: 'Ada', password: 'better-auth one' }),
    expect('grace@better-auth.example', {
      name: 'Grace',
      password: 'zwölf Zeichen',
      state: 'disabled',
      verified: false,
    }),
    expect('social@better-auth.example', { name: 'Sam', state: 'unclaimed' }),
  ],
  rejected: [/email/],
  dropped: { role: 1, updatedAt: 1 },
  unusedPasswords: 0,
};

export const EXPORTED_USERS: readonly ExportedUsers[] = [
  keycloak,
  auth0,
  firebase,
  supabase,
  pocketbase,
  betterAuth,
];
