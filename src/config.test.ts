import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import proxyAddress from '@fastify/proxy-addr';
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import fc from 'fast-check';
import { anyText, anyUrl } from '../test/support/arbitrary-text.ts';
import { assertRejected, readCurrentSettings } from '../test/support/settings.ts';
import { maskUrl } from './config/read-settings.ts';
import { ConfigError, readConfig } from './config.ts';
import { LIMIT_NAMES, type Limits } from './rate-limits/limits.ts';

const SECRET = 'a-secret-of-more-than-32-characters';
const URL_OF_DATABASE = `postgres://user:${SECRET}@db.example.com/frontdesk`;
const PUBLIC_URL = 'https://id.example.org';
const FROM = 'Example <accounts@example.org>';
const MAIL = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: FROM, PUBLIC_URL };
const audiences = (count: number) => Array.from({ length: count }, (_, index) => `service-${index}`).join();

type Environment = Readonly<Record<string, string>>;
const readServer = (SMTP_URL: string) => readConfig({ ...MAIL, SMTP_URL }).mail.smtp?.server;
const readSender = (MAIL_FROM: string) => readConfig({ ...MAIL, MAIL_FROM }).mail.smtp?.from;
const readAudiences = (JWT_AUDIENCES: string) => readConfig({ PUBLIC_URL, JWT_AUDIENCES }).jwtAudiences;
const readDatabase = (DATABASE_URL: string) => readConfig({ DATABASE_URL }).databaseUrl;
const readSslMode = (query: string) =>
  readDatabase(`postgres://db/x?${query}`)?.replace('postgres://db/x?', '');
const readTls = (url: string) => readServer(url)?.startTls;
const readLimits = (environment: Environment = {}): Limits => readCurrentSettings(environment).limits;

/** Texts that settings accept, and their values. */
const ACCEPTED: readonly [
  name: string,
  read: (text: string) => unknown,
  values: Readonly<Record<string, unknown>>,
][] = [
  [
    'DATA_DIR',
    (DATA_DIR) => readConfig({ DATA_DIR }).dataDir,
    { '/srv/x': '/srv/x', somewhere: resolve('somewhere'), '': resolve('data') },
  ],
  [
    'BACKUP_EVERY',
    (BACKUP_EVERY) => readConfig({ BACKUP_EVERY }).backups.everyHours,
    { '0.1': 0.1, '8760': 8_760 },
  ],
  [
    'DATABASE_URL',
    readDatabase,
    Object.fromEntries(
      [
        URL_OF_DATABASE,
        'postgresql://db.example.com',
        'postgres://[::1]:5433/frontdesk?application_name=one',
        'postgres:///frontdesk?host=/run/postgresql',
        'postgres://%2Frun%2Fpostgresql/frontdesk',
      ].map((url) => [url, url]),
    ),
  ],
  [
    'sslmode of DATABASE_URL',
    readSslMode,
    {
      // The driver warns about these; with libpq's meaning it does not.
      ...Object.fromEntries(
        ['prefer', 'require', 'verify-ca'].flatMap((mode) => [
          [`a=b&sslmode=${mode}`, 'a=b&sslmode=verify-full'],
          [`sslmode=${mode}&a=b`, 'sslmode=verify-full&a=b'],
          [`sslmode=${mode}&uselibpqcompat=true`, `sslmode=${mode}&uselibpqcompat=true`],
        ]),
      ),
      ...Object.fromEntries(
        ['disable', 'no-verify', 'verify-full', 'required'].map((mode) => [
          `sslmode=${mode}`,
          `sslmode=${mode}`,
        ]),
      ),
    },
  ],
  [
    'ADMIN_TOKEN',
    (ADMIN_TOKEN) => readConfig({ ADMIN_TOKEN }).adminTokens,
    { [`${SECRET}-1, ${SECRET}-2`]: [`${SECRET}-1`, `${SECRET}-2`], '': null },
  ],
  [
    'SECRET_KEY',
    (SECRET_KEY) => readConfig({ SECRET_KEY }).secretKey,
    { [`${SECRET},${SECRET}`]: `${SECRET},${SECRET}`, '': null },
  ],
  [
    'PUBLIC_URL',
    (url) => readConfig({ PUBLIC_URL: url }).publicUrl,
    {
      '': '',
      'https://api.example.com/desk//': 'https://api.example.com/desk',
      'https://api.example.com:443/': 'https://api.example.com',
      'HTTPS://Api.Example.COM:8443': 'https://api.example.com:8443',
      'https://żółw.example/żółw': 'https://xn--w-uga1v8h.example/%C5%BC%C3%B3%C5%82w',
      'http://[::1]:3000': 'http://[::1]:3000',
    },
  ],
  [
    'CORS_ORIGINS',
    (CORS_ORIGINS) => readConfig({ CORS_ORIGINS }).corsOrigins,
    { 'https://a.example, http://localhost:5173,': ['https://a.example', 'http://localhost:5173'], '': [] },
  ],
  [
    'RP_ID',
    (RP_ID) => readConfig({ PUBLIC_URL, RP_ID }).relyingParty,
    {
      '': { id: 'id.example.org', origins: [PUBLIC_URL], related: [] },
      'example.org': { id: 'example.org', origins: [PUBLIC_URL], related: [] },
    },
  ],
  [
    'PASSKEY_ORIGINS',
    (PASSKEY_ORIGINS) => readConfig({ PUBLIC_URL, RP_ID: 'example.net', PASSKEY_ORIGINS }).relyingParty,
    {
      [`https://app.example.com, ${PUBLIC_URL}`]: {
        id: 'example.net',
        origins: [PUBLIC_URL, 'https://app.example.com'],
        related: ['https://app.example.com', PUBLIC_URL],
      },
    },
  ],
  [
    'PUBLIC_URL of passkeys',
    (PUBLIC_URL) => readConfig({ PUBLIC_URL }).relyingParty,
    {
      '': { id: 'localhost', origins: [], related: [] },
      'https://id.example.org/desk': { id: 'id.example.org', origins: [PUBLIC_URL], related: [] },
      'http://localhost:3000': { id: 'localhost', origins: ['http://localhost:3000'], related: [] },
      'http://id.example.org': null,
      'http://127.0.0.1:3000': null,
      'https://192.0.2.1': null,
      'https://[2001:db8::1]': null,
    },
  ],
  [
    'TRUST_PROXY',
    (TRUST_PROXY) => readConfig({ TRUST_PROXY }).trustProxy,
    { '10.0.0.0/8, ::1': ['10.0.0.0/8', '::1'], '': [] },
  ],
  [
    'SMTP_URL',
    readServer,
    {
      '': undefined,
      'smtps://us%40er:p%3A%2Fss@mail.example.com:2465': {
        ...{ host: 'mail.example.com', port: 2465, isSecure: true, startTls: 'required' },
        credentials: { user: 'us@er', pass: 'p:/ss' },
      },
      'smtp://[::1]:25/': { host: '::1', port: 25, isSecure: false, startTls: 'offered', credentials: null },
      'smtp://mail': { host: 'mail', port: null, isSecure: false, startTls: 'offered', credentials: null },
    },
  ],
  [
    // A password is never sent in clear to another machine.
    'tls of SMTP_URL',
    readTls,
    {
      'smtp://user:pass@mail.example.com': 'required',
      'smtp://user:pass@127.0.0.1': 'offered',
      'smtp://mail.example.com': 'offered',
      'smtp://mail.example.com?tls=required': 'required',
      'smtp://user:pass@mail.example.com?tls=off': 'off',
    },
  ],
  [
    'MAIL_FROM',
    readSender,
    {
      [FROM]: { name: 'Example', address: 'accounts@example.org' },
      '"Müller, Inc." <a@b.example>': { name: 'Müller, Inc.', address: 'a@b.example' },
      'a@b.example': { name: '', address: 'a@b.example' },
      '<a@b.example>': { name: '', address: 'a@b.example' },
    },
  ],
  [
    'OPERATOR_EMAIL',
    (OPERATOR_EMAIL) => readConfig({ OPERATOR_EMAIL }).operatorEmail,
    { 'operator@example.com': 'operator@example.com', '': null },
  ],
  [
    'JWT_AUDIENCES',
    readAudiences,
    {
      '': [],
      ' orders, https://Orders.example.com/api/,urn:example:search ,': [
        'orders',
        'https://Orders.example.com/api/',
        'urn:example:search',
      ],
    },
  ],
  [
    'WEBHOOK_ALLOW',
    (WEBHOOK_ALLOW) => readConfig({ WEBHOOK_ALLOW }).webhookAllow,
    { '127.0.0.1/32, 10.0.0.0/8,::1, fd00::/8': ['127.0.0.1/32', '10.0.0.0/8', '::1', 'fd00::/8'], '': [] },
  ],
  [
    'REDIRECT_URLS',
    (REDIRECT_URLS) => readConfig({ REDIRECT_URLS }).redirectUrls,
    {
      '': [],
      'https://shop.example.com/welcome, http://localhost:5173': [
        'https://shop.example.com/welcome',
        'http://localhost:5173/',
      ],
    },
  ],
  [
    'DEFAULT_LOCALE',
    (DEFAULT_LOCALE) => readCurrentSettings({ DEFAULT_LOCALE }).defaultLocale,
    { '': 'en', de: 'de', 'PT-br': 'pt-BR' },
  ],
  [
    'APP_URL',
    (APP_URL) => readCurrentSettings({ APP_URL }).appUrl,
    { 'https://App.example.com': 'https://app.example.com/', '': null },
  ],
  [
    'MAX_UNCLAIMED_USERS',
    (MAX_UNCLAIMED_USERS) => readCurrentSettings({ MAX_UNCLAIMED_USERS }).maxUnclaimedUsers,
    { '': 100_000, '7': 7, off: null },
  ],
];

const PASSWORD = `user:${SECRET}`;

/** Texts that settings reject, each alone or at the end of a list, and what the message says. */
const REJECTED: readonly [
  name: string,
  wrong: readonly string[],
  message?: RegExp | undefined,
  before?: string,
][] = [
  ['DATABASE_POOL', ['0']],
  ['LOG_LEVEL', ['loud']],
  ['REUSE_PORT', ['yes']],
  ['RATE_LIMITS', ['yes']],
  ['LOAD_SHEDDING_MS', ['9']],
  ['MAIL_TO_LOG', ['yes']],
  ['SHUTDOWN_DELAY_SECONDS', ['10s']],
  [
    'DATABASE_URL',
    [
      ...[URL_OF_DATABASE.replace('postgres', 'mysql'), URL_OF_DATABASE.replace('://', ' '), SECRET],
      // Without a host or a socket directory, the driver would use localhost.
      ...[
        'postgres://',
        'postgres:foo',
        'postgres:/foo',
        'postgres:///frontdesk',
        'postgres:///frontdesk?host=',
      ],
      'postgres:frontdesk?host=/run/postgresql',
      `postgres://:${SECRET}@/frontdesk`,
      'postgres://db.example.com/frontdesk?port=one',
    ],
  ],
  ['ADMIN_TOKEN', [SECRET.slice(0, 31), `${SECRET},${SECRET.slice(0, 31)}`, `${SECRET}é`, ',', ' , ,']],
  ['SECRET_KEY', [SECRET.slice(0, 31), `${SECRET} ${SECRET}`, `${SECRET}é`]],
  [
    'PUBLIC_URL',
    [
      ...['api.example.com', 'ftp://example.com', '/desk', 'https:example.com', 'https:/example.com'],
      ...['https:///example.com', 'https:\\\\example.com', 'https://', 'https://a.example/?a=b'],
      ...['https://a.example?', 'https://a.example/#top', 'https://a.example/a\nb', 'https://a.exa\tmple'],
      ...['https://a.example/a b', 'https://a_%.example'],
    ],
    /, not "/,
  ],
  ['PUBLIC_URL', [`https://user:${SECRET}@a.example`, `https://${SECRET}@a.example/desk`]],
  [
    'CORS_ORIGINS',
    ['*', 'null', 'https://a.example/', 'https://A.example', 'a.example', 'https://a.example:443'],
    undefined,
    'https://a.example',
  ],
  [
    'RP_ID',
    ['a.id.example.org', 'ample.org', 'example.com'],
    /^RP_ID must be id\.example\.org, the host of PUBLIC_URL, or a domain above it, unless PASSKEY_ORIGINS lists https:\/\/id\.example\.org$/,
  ],
  ['RP_ID', ['https://id.example.org', 'id.example.org:443', 'Example.org', '192.0.2.1'], /must be a domain/],
  ['PASSKEY_ORIGINS', ['http://app.example.com', 'https://app.example.com/', 'app.example.com', '*']],
  [
    'PASSKEY_ORIGINS',
    [Array.from({ length: 6 }, (_, index) => `https://app${index}.example.com`).join()],
    /must list at most 5 origins/,
  ],
  ['TRUST_PROXY', ['the-proxy', 'true', '10.0.0.0/33', '127.1', 'fe80::1%en-0'], undefined, '10.0.0.1'],
  [
    'TRUST_PROXY',
    ['0.0.0.0/0', '10.0.0.0/00', '::/0', '::ffff:0:0/96', '::ffff:10.0.0.1/96'],
    /" would trust every client/,
    '10.0.0.1',
  ],
  [
    'SMTP_URL',
    [
      `http://${PASSWORD}@mail.example.com`,
      `smtp://${PASSWORD}@`,
      `smtp://${PASSWORD}@mail.example.com/path`,
      `smtp://${PASSWORD}@mail.example.com:0`,
      `smtp://${PASSWORD}@mail.example.com:70000`,
      `smtp://${PASSWORD}@mail.example.com?tls=maybe`,
      `smtp://${PASSWORD}@mail.example.com?tls.rejectUnauthorized=false`,
      `smtps://${PASSWORD}@mail.example.com?tls=off`,
      `smtp://${PASSWORD}%zz@mail.example.com`,
      `smtp://:${SECRET}@mail.example.com`,
      `smtp://${SECRET}@mail.example.com`,
      `smtp:${SECRET}`,
      SECRET,
    ],
  ],
  ['MAIL_FROM', ['Example', 'a@b, c@d', 'A <a@b> <c@d>', 'A\r\nBcc: x@y <a@b>', 'A <a@b\r\n>', '<>']],
  [
    'OPERATOR_EMAIL',
    ['operator', 'a@example.com, b@example.com', 'Operator <operator@example.com>'],
    /must be an email address/,
  ],
  ['JWT_AUDIENCES', ['two words', 'größe', '1:2', 'a'.repeat(256)], /must list names or URLs/, 'orders'],
  ['JWT_AUDIENCES', ['orders'], /each audience once/, 'orders,search'],
  ['JWT_AUDIENCES', [audiences(51)], /at most 50/],
  [
    'WEBHOOK_ALLOW',
    ['localhost', 'loopback', '*', '127.1', '10.0.0.0/33', '::1/129', '::ffff:10.0.0.0/104'],
    /such as 10\.0\.0\.0\/8 or ::1/,
    '10.0.0.0/8',
  ],
  ['WEBHOOK_ALLOW', ['0.0.0.0/0', '10.0.0.0/00', '::/0'], /would allow webhooks to every address/],
  ...(['APP_URL', 'REDIRECT_URLS'] as const).map((name): (typeof REJECTED)[number] => [
    name,
    ['app.example.com', 'http://app.example.com', 'https://a@app.example.com', 'https://x/#y'],
  ]),
  ['DEFAULT_LOCALE', ['a language', 'de_DE', 'de, en'], /must be a language tag/],
  ['REDIRECT_URLS', ['https://app.example.com/?x=y'], undefined, 'https://app.example.com'],
  [
    'BACKUP_EVERY',
    ['0', '0.0000001', '0.099', '-1', '1e3', '.5', '8760.1', '24h'],
    /must be a number of hours from 0\.1 to 8760, not "/,
  ],
  ['BACKUP_RECIPIENT', ['age1', 'age1pq1', 'AGE-SECRET-KEY-1', 'ssh-ed25519 AAAA']],
  [
    'RATE_LIMIT_ANON',
    ['0/60', '60/0', '60', '-1/60', '1.5/60', '60/60/60', '1e3/60', 'none', '1000000000/60'],
    /must be quota\/seconds/,
  ],
];

describe('values of settings', () => {
  for (const [name, read, values] of ACCEPTED)
    for (const [text, value] of Object.entries(values))
      test(`readConfig accepts ${JSON.stringify(text).slice(0, 200)} as ${name}`, () =>
        assert.deepEqual(read(text), value));

  for (const [name, wrong, message = /./, before] of REJECTED)
    for (const text of wrong)
      test(`readConfig rejects ${JSON.stringify(text).slice(0, 200)} as ${name}, and repeats no secret`, () => {
        const required = /^(?:JWT|RP_ID|PASSKEY)/.test(name) ? { PUBLIC_URL } : {};
        const line = assertRejected(name, before === undefined ? text : `${before},${text}`, required);
        assert.match(line, message);
        assert.ok(!line.includes(SECRET.slice(0, 31)));
      });

  const numbers: Record<string, [min: number, max: number]> = {
    PORT: [0, 65_535],
    DATABASE_POOL: [1, 1_000],
    PASSWORD_THREADS: [1, 256],
    PASSWORD_QUEUE: [1, 100_000],
    PASSWORD_MAX_WAIT_MS: [100, 60_000],
    TOKEN_LIFETIME_DAYS: [1, 3_650],
    MAX_UNCLAIMED_USERS: [1, 1_000_000_000],
    UNCLAIMED_USERS_DAYS: [1, 3_650],
    SHUTDOWN_DELAY_SECONDS: [0, 300],
    LOAD_SHEDDING_MS: [10, 60_000],
  };
  for (const [name, [min, max]] of Object.entries(numbers)) {
    test(`readConfig accepts integers from ${min} to ${max} as ${name} and rejects anything else`, () => {
      const beyond = fc.oneof(fc.integer({ max: min - 1 }), fc.integer({ min: max + 1 })).map(String);
      const garbage = fc.oneof(fc.constantFrom('1e3', '0x10', '1.0', '+1', '1 000', 'Infinity'), fc.string());
      const wrong = fc.oneof(
        beyond,
        garbage.filter((text) => !/^(\d*|off)$/.test(text.trim())),
      );
      fc.assert(fc.property(fc.integer({ min, max }), (value) => void readConfig({ [name]: String(value) })));
      fc.assert(fc.property(wrong, (value) => void assertRejected(name, value)));
    });
  }

  const choices: Record<string, string[]> = {
    LOG_LEVEL: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    PASSWORD_POLICY: ['contract', 'nist'],
    REGISTRATION: ['open', 'closed'],
    USERS_CREATE: ['open', 'admin'],
  };
  for (const [name, values] of Object.entries(choices)) {
    test(`readConfig accepts ${values.join(', ')} as ${name} and rejects anything else`, () => {
      for (const value of values) assert.doesNotThrow(() => readConfig({ [name]: value }));
      for (const value of ['other', values[0]!.toUpperCase(), 'constructor', '1'])
        assertRejected(name, value);
    });
  }

  for (const [kind, generate] of Object.entries({ generateX25519Identity, generateHybridIdentity }))
    test(`readConfig accepts the public key of ${kind} as BACKUP_RECIPIENT`, async () => {
      const recipient = await identityToRecipient(await generate());
      assert.equal(readConfig({ BACKUP_RECIPIENT: recipient }).backups.recipient, recipient);
    });

  test('readConfig accepts only values of PUBLIC_URL that can be sent in a header', () => {
    const paths = anyText().map((path) => `https://a.example/${path}`);
    const accepted = (given: string) => {
      try {
        return readConfig({ PUBLIC_URL: given }).publicUrl;
      } catch {
        return '';
      }
    };
    fc.assert(fc.property(fc.oneof(paths, anyUrl), (given) => /^[!-~]*$/.test(accepted(given))));
  });

  test('readConfig accepts only values of TRUST_PROXY that @fastify/proxy-addr accepts', () => {
    const withZone = fc.ipV6().map((ip) => `${ip}%eth0`);
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), withZone);
    const network = fc.tuple(address, fc.integer({ min: 0, max: 129 })).map(([ip, bits]) => `${ip}/${bits}`);
    const assertAgreement = (given: string) => {
      try {
        readConfig({ TRUST_PROXY: given });
      } catch {
        assertRejected('TRUST_PROXY', given);
        return;
      }
      proxyAddress.compile([given]);
    };
    fc.assert(fc.property(fc.oneof(address, network), assertAgreement));
  });
});

describe('settings as a whole', () => {
  test('readConfig accepts an empty environment, with which only this machine can reach the service', () => {
    const config = readConfig({});
    assert.ok(Object.isFrozen(config));
    const { host, port, databaseUrl, secretKey, mail } = config;
    assert.deepEqual([host, port, databaseUrl, secretKey], ['127.0.0.1', 3000, null, null]);
    assert.deepEqual(mail, { smtp: null, senderName: '', toLog: false });
    assert.equal(readCurrentSettings().tokenLifetimeSeconds, 30 * 24 * 60 * 60);
  });

  test('readConfig treats an empty or blank variable as not set', () => {
    const names = ['HOST', 'PORT', 'DATABASE_URL', 'ADMIN_TOKEN', 'LOG_LEVEL', 'RATE_LIMIT_LOGINFAIL'];
    for (const blank of ['', '  ']) {
      const environment = Object.fromEntries(names.map((name) => [name, blank]));
      assert.deepEqual(readConfig(environment), readConfig({}));
    }
  });

  test('readConfig quotes an invalid value in the message, on one line also if it contains line breaks', () => {
    assert.ok(assertRejected('PORT', '42\n10').endsWith(', not "42\\n10"'));
    for (const name of ['LOG_LEVEL', 'CORS_ORIGINS', 'TRUST_PROXY', 'RATE_LIMIT_LOGIN'])
      assert.ok(assertRejected(name, 'say "a\r\nb"').endsWith(String.raw`, not "say \"a\r\nb\""`));
  });

  for (const [environment, message] of [
    [{ ...MAIL, MAIL_FROM: '' }, /^MAIL_FROM is required with SMTP_URL/],
    [{ ...MAIL, PUBLIC_URL: '' }, /^PUBLIC_URL is required with SMTP_URL/],
    [{ JWT_AUDIENCES: 'orders' }, /^PUBLIC_URL is required with JWT_AUDIENCES/],
    [{ RP_ID: 'example.org' }, /^PUBLIC_URL is required with RP_ID and PASSKEY_ORIGINS$/],
    [{ PASSKEY_ORIGINS: 'https://a.example' }, /^PUBLIC_URL is required with RP_ID and PASSKEY_ORIGINS$/],
    [{ REUSE_PORT: 'on' }, /^REUSE_PORT needs DATABASE_URL \(PostgreSQL\), because only one process/],
  ] as const) {
    test(`readConfig rejects ${Object.keys(environment).join(', ')}: ${message.source}`, () => {
      const isExpected = (error: unknown) => error instanceof ConfigError && message.test(error.message);
      assert.throws(() => readConfig(environment), isExpected);
    });
  }

  test('readConfig accepts REUSE_PORT=on with PostgreSQL', () => {
    assert.equal(readConfig({ DATABASE_URL: URL_OF_DATABASE, REUSE_PORT: 'on' }).reusePort, true);
  });
});

describe('settings of rate limits', () => {
  const variable = (name: string) => `RATE_LIMIT_${name.toUpperCase().replaceAll('-', '_')}`;

  for (const name of LIMIT_NAMES) {
    test(`the limit ${name} can be set and turned off without changing the others`, () => {
      const others = { ...readLimits(), [name]: undefined };
      const set = readLimits({ [variable(name)]: '7/90' });
      assert.deepEqual(set, { ...others, [name]: { name, limit: 7, windowSeconds: 90 } });
      assert.deepEqual(readLimits({ [variable(name)]: 'off' }), { ...others, [name]: null });
    });
  }

  test('rate limits are all null with RATE_LIMITS=off, whatever else is set', () => {
    const off = readLimits({ RATE_LIMITS: 'off', RATE_LIMIT_ANON: '1/1' });
    assert.deepEqual(Object.values(off), Array(LIMIT_NAMES.length).fill(null));
  });

  test('a RATE_LIMIT_ setting of a limit that does not exist is rejected with a list of those that do', () => {
    for (const name of ['RATE_LIMIT_LOGINFAIL', 'RATE_LIMIT_LOGIN-FAIL', 'RATE_LIMIT_login', 'RATE_LIMIT_']) {
      const known = assertRejected(name, '5/60').match(/(?<= )RATE_LIMIT_[A-Z_]+/g);
      assert.deepEqual(known, LIMIT_NAMES.map(variable));
    }
  });
});

describe('maskUrl', () => {
  for (const [url, masked] of [
    [
      'postgres://app:secret@db.example.com:5433/desk?sslmode=verify-full',
      'postgres://app:***@db.example.com:5433/desk?sslmode=verify-full',
    ],
    [
      'postgres:///desk?user=app&password=secret&host=/run/postgresql',
      'postgres:///desk?user=app&password=***&host=%2Frun%2Fpostgresql',
    ],
    ['postgres://app@db/desk?sslkey=secret#secret', 'postgres://app@db/desk?sslkey=***'],
    ['postgres://app@db/desk?password=secret&password=secret2', 'postgres://app@db/desk?password=***'],
    [
      'smtp://user:p%40secret@mail.example.com:587?tls=required',
      'smtp://user:***@mail.example.com:587?tls=required',
    ],
    ['smtp://secret:%73ecret@mail.example.com', 'smtp://***:***@mail.example.com'],
    ['smtp://mail.example.com', 'smtp://mail.example.com'],
    ['secret', null],
  ] as const)
    test(`maskUrl masks ${url} as ${masked}`, () => assert.equal(maskUrl(url), masked));

  test('maskUrl returns nothing of any password or unknown parameter', () => {
    const secret = fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `canary${text}`);
    fc.assert(
      fc.property(secret, fc.constantFrom('postgres', 'smtp', 'smtps'), (text, scheme) => {
        const encoded = encodeURIComponent(text);
        const masked = maskUrl(`${scheme}://user:${encoded}@host/x?password=${encoded}&other=${encoded}`);
        assert.ok(!masked!.includes('canary'));
      }),
    );
  });
});
