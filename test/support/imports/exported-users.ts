/** Small exports of other products, written after their documentation. Each comment names what made the hashes. */

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

export const CREATED = '2024-01-31T12:00:00.000Z';
const MILLISECONDS = Date.parse(CREATED);

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

const credential = (data: object, secret: object) => ({
  type: 'password',
  credentialData: JSON.stringify(data),
  secretData: JSON.stringify(secret),
});

/** The PBKDF2 hashes are by hashlib of Python, argon2 by @node-rs/argon2. */
const keycloak: ExportedUsers = {
  product: 'keycloak',
  files: {
    'realm.json': JSON.stringify({
      realm: 'shop',
      clients: [{ clientId: 'web', users: [{ email: 'no-user@keycloak.example' }] }],
      users: [
        {
          id: '1',
          username: 'ada',
          email: 'ada@keycloak.example',
          firstName: 'Ada',
          lastName: 'Lovelace',
          emailVerified: true,
          enabled: true,
          createdTimestamp: MILLISECONDS,
          totp: false,
          credentials: [
            { type: 'otp', secretData: '{"value":"x"}', credentialData: '{}' },
            credential(
              { hashIterations: 27_500, algorithm: 'pbkdf2-sha256', additionalParameters: {} },
              {
                value:
                  'hTlH7hq5ZcQiX1wRWL407DwBis1R2wPMcG0X/Jka0wObTOgGpW1ttjeK728yrQ7vdyCLVhmbA50uAOY2Gaauvw==',
                salt: 'c2l4dGVlbiBieXRlcyAwMQ==',
              },
            ),
          ],
          attributes: { locale: ['de'], groups: ['a', 'b'] },
        },
        {
          email: 'grace@keycloak.example',
          lastName: 'Hopper',
          attributes: { notes: ['x'.repeat(4_096)] },
          emailVerified: false,
          enabled: false,
          createdTimestamp: MILLISECONDS,
          credentials: [
            credential(
              { hashIterations: 30_000, algorithm: 'pbkdf2-sha512' },
              {
                value:
                  'QqCD/qyQzJWDFPavC8EftHA3v/RIQDRx9R8eBEBduv99rbBm+RmBY7AXB4gCpCxRlPAJIMvfEDPLbbDQaouFNw==',
                salt: 'c2l4dGVlbiBieXRlcyAwMg==',
              },
            ),
          ],
        },
        {
          email: 'old@keycloak.example',
          emailVerified: true,
          enabled: true,
          createdTimestamp: MILLISECONDS,
          credentials: [
            {
              type: 'password',
              algorithm: 'pbkdf2',
              hashIterations: 20_000,
              hashedSaltedValue:
                'x2sPvz+bUBZg64T1egCs9IGxBZ0YSEAL1Zjr6Cbn/qqYOBHYuFsRH2HlyOfPqpTePP72hKMjZQeGF28CfOlEzA==',
              salt: 'c2l4dGVlbiBieXRlcyAwMw==',
            },
          ],
        },
        {
          email: 'new@keycloak.example',
          emailVerified: true,
          enabled: true,
          createdTimestamp: MILLISECONDS,
          credentials: [
            credential(
              {
                hashIterations: 5,
                algorithm: 'argon2',
                additionalParameters: {
                  hashLength: ['32'],
                  memory: ['7168'],
                  type: ['id'],
                  version: ['1.3'],
                  parallelism: ['1'],
                },
              },
              { value: 'txcp8a2RkkroOFl2b2dDEkNO6Z5r8ufpV3ZBTNkZu0U=', salt: 'c2l4dGVlbiBieXRlcyAwNA==' },
            ),
          ],
        },
        { email: 'social@keycloak.example', enabled: true, createdTimestamp: MILLISECONDS },
        { email: 'blocked@keycloak.example', enabled: false, createdTimestamp: MILLISECONDS },
        { username: 'service-account-web', serviceAccountClientId: 'web', enabled: true },
        { username: 'no-email', enabled: true },
        {
          email: 'too-slow@keycloak.example',
          credentials: [
            credential(
              { hashIterations: 1_000_000_000, algorithm: 'pbkdf2-sha256' },
              { value: 'c2l4dGVlbiBieXRlcyAwMQ==', salt: 'c2l4dGVlbiBieXRlcyAwMQ==' },
            ),
          ],
        },
      ],
    }),
  },
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
  files: {
    'auth0.json': [
      {
        user_id: 'google-oauth2|1',
        email: 'ada@auth0.example',
        email_verified: true,
        name: 'Ada Lovelace',
        created_at: CREATED,
      },
      {
        user_id: 'auth0|5f7c8ec7c33c6c004bbafe82',
        email: 'ada@auth0.example',
        email_verified: true,
        given_name: 'Ada',
        family_name: 'Lovelace',
        name: 'ada@auth0.example',
        nickname: 'ada',
        created_at: CREATED,
        user_metadata: { theme: 'dark', removed: null },
        app_metadata: { plan: { name: 'team' } },
      },
      {
        user_id: 'auth0|custom',
        email: 'grace@auth0.example',
        email_verified: false,
        blocked: true,
        user_metadata: { id: 2 ** 60 },
        app_metadata: 'no object',
        created_at: CREATED,
      },
      {
        user_id: 'google-oauth2|2',
        email: 'social@auth0.example',
        email_verified: true,
        created_at: CREATED,
      },
      { user_id: 'sms|3', phone_number: '+15555550100', created_at: CREATED },
    ]
      .map((user) => `${JSON.stringify(user)}\n`)
      .join(''),
    'hashes.ndjson': [
      {
        _id: { $oid: '5f7c8ec7c33c6c004bbafe82' },
        email_verified: true,
        email: 'Ada@auth0.example',
        passwordHash: '$2b$05$PIq73ziJXKhS0ft3MO21COgYFF0pnsIPDruwyS6BjwPJY0isiRMBu',
        connection: 'Username-Password-Authentication',
      },
      {
        _id: { $oid: '5f7c8ec7c33c6c004bbafe83' },
        alt_id: 'custom',
        email: 'grace@auth0.example',
        passwordHash: '$2a$05$w5Ybnsp9qCXdJdBGk.7QFuGrAa/Yqh5OgAUms99d6uLrTWMJKoy2G',
      },
      {
        _id: { $oid: '5f7c8ec7c33c6c004bbafe84' },
        email: 'deleted@auth0.example',
        passwordHash: '$2a$05$w5Ybnsp9qCXdJdBGk.7QFuGrAa/Yqh5OgAUms99d6uLrTWMJKoy2G',
      },
    ]
      .map((user) => `${JSON.stringify(user)}\n`)
      .join(''),
  },
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
  files: {
    'firebase.json': JSON.stringify({
      users: [
        {
          localId: '1',
          email: 'ada@firebase.example',
          emailVerified: true,
          displayName: 'Ada',
          passwordHash:
            'J5MMPaxgEFH63yMFwyBcKcJjgJ58mFmtF0dCWvNurRMQV/wODnceKzLRAVzeK9Xpe7kOSI1mFXQBJyVrEhU92w==',
          salt: 'dGVuIGJ5dGVzIQ==',
          customAttributes: '{"role":"editor"}',
          createdAt: String(MILLISECONDS),
          lastSignedInAt: String(MILLISECONDS),
          providerUserInfo: [],
        },
        {
          localId: '2',
          email: 'grace@firebase.example',
          emailVerified: false,
          disabled: true,
          passwordHash:
            'Sp_9oVbJhS1azK4MaXYcGQAQPwdkRS8Q78EnOmeK2h_53duwkVpAnfpHZ43al-J9Kq1R13-W4wkrA_9hrNV4Ew==',
          salt: 'bW9yZSBieXRlcw==',
          customAttributes: 'no JSON',
          createdAt: String(MILLISECONDS),
        },
        {
          localId: '3',
          email: 'social@firebase.example',
          emailVerified: true,
          createdAt: String(MILLISECONDS),
          providerUserInfo: [{ providerId: 'google.com' }],
        },
        { localId: '4', phoneNumber: '+15555550100', createdAt: String(MILLISECONDS) },
        { localId: '5', email: 'redacted@firebase.example', passwordHash: 'UkVEQUNURUQ=', salt: '' },
      ],
    }),
    'hash-config.txt': `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: YSBzaWduZXIga2V5IG9mIGEgcHJvamVjdCB0aGF0IGlzIG5vdCBvbmUsIDY0IGJ5dGVzIG9mIHBsYWluIHRleA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 8,
}`,
  },
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
  files: {
    'supabase.csv': [
      'id,email,encrypted_password,email_confirmed_at,created_at,banned_until,deleted_at,raw_user_meta_data,is_anonymous,raw_app_meta_data',
      '1,ada@supabase.example,$2a$05$w.3xcApbwVxrbo1w9ZnIT.dW1g0R1Hi0TQQzlTBpQndsG6ulqtNtK,2024-02-01 12:00:00.123456+00,2024-01-31 12:00:00+00,,,"{""full_name"": ""Ada, Countess"", ""sub"": ""1"", ""theme"": ""dark""}",f,"{""provider"": ""email"", ""customer_id"": ""c-1""}"',
      '2,grace@supabase.example,$2b$05$bdRZTeY7bUgnAQXgfA8IwuBO0FkgGQJTtIo4m2QvndCHAESxN5msu,,2024-01-31 12:00:00+00,infinity,,{},f,',
      '3,social@supabase.example,,2024-02-01 12:00:00+00,2024-01-31 12:00:00+00,2020-01-01 00:00:00+00,,"{""name"": ""Sam""}",f,{}',
      '4,,,,2024-01-31 12:00:00+00,,,{},t,',
      '5,deleted@supabase.example,,,2024-01-31 12:00:00+00,,2024-03-01 12:00:00+00,{},f,',
      '6,wrong@supabase.example,,,2024-01-31 12:00:00+00,,,[],f,',
      '',
    ].join('\n'),
  },
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
  files: {
    'pocketbase.json': JSON.stringify([
      {
        id: '1',
        email: 'ada@pocketbase.example',
        name: 'Ada',
        verified: 1,
        password: '$2a$05$yGIGJZqWrIFDutHvPXtFq.BoQ/Gez0hlGgu9BxuUbuJUv5WT45eym',
        tokenKey: 'x',
        created: '2024-01-31 12:00:00.000Z',
      },
      {
        id: '2',
        email: 'grace@pocketbase.example',
        name: '',
        verified: false,
        passwordHash: '$2b$05$baASg1CuNRL26cD.iTXESezq6xOIYp3FCsuaPgoiz.lMigy5w1Io6',
        created: '2024-01-31 12:00:00.000Z',
      },
      { id: '3', email: '', verified: 0, password: '', created: '2024-01-31 12:00:00.000Z' },
      'no user',
    ]),
  },
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
  files: {
    'user.json': JSON.stringify([
      {
        id: 'a',
        name: 'Ada',
        email: 'ada@better-auth.example',
        emailVerified: true,
        image: null,
        createdAt: CREATED,
        updatedAt: CREATED,
      },
      {
        id: 'b',
        name: 'Grace',
        email: 'grace@better-auth.example',
        email_verified: 0,
        created_at: MILLISECONDS / 1000,
        banned: 1,
        role: 'admin',
      },
      {
        id: 'c',
        name: 'Sam',
        email: 'social@better-auth.example',
        emailVerified: 1,
        createdAt: MILLISECONDS,
        banned: true,
        banExpires: '2020-01-01T00:00:00.000Z',
      },
      { id: 'd', name: 'No Email', createdAt: CREATED },
    ]),
    'account.json': JSON.stringify([
      {
        id: '1',
        accountId: 'a',
        providerId: 'credential',
        userId: 'a',
        password:
          'a71a49ec141a8e21d71b11e1ebb56f59:9298b37d2fd1f504330214db7b2a8ff56a9a9e07d5f8df46439fbcec19ed900ed4d223957e64a55a28dddb421bb2afab71eae984b1a51208081d673e80234a08',
      },
      {
        id: '2',
        account_id: 'b',
        provider_id: 'credential',
        user_id: 'b',
        password:
          '0820d8ed772075e2ffd6900274d2d173:82239fe2e97e1d86f649cb28b36f524e6fd2cb4492f163853ffd2c05e793e03ea1d9fecb11051be7910175983183b88d6fe80a9ad4a453de7291880f36aba9a6',
      },
      { id: '3', accountId: '9', providerId: 'google', userId: 'c' },
    ]),
  },
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
