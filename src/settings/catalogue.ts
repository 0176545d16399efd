/** What each setting means, in the order in which the settings are listed. README.md documents their values. */
import { LIMIT_NAMES, type LimitName } from '../rate-limits/limits.ts';
import { limitVariable } from './run-time-settings.ts';

export const SETTING_GROUPS = [
  'instance',
  'registration',
  'logins',
  'mail',
  'events',
  'limits',
  'network',
  'operation',
] as const;

type SettingGroup = (typeof SETTING_GROUPS)[number];

interface SettingDescription {
  readonly group: SettingGroup;
  /** One line. */
  readonly meaning: string;
  /** The document and the section that describe it. */
  readonly docs: string;
}

type Entry = readonly [name: string, group: SettingGroup, meaning: string, section?: string];

const ENTRIES: readonly Entry[] = [
  ['HOST', 'network', 'IP address to listen on.'],
  ['PORT', 'network', 'Port to listen on.'],
  ['DATA_DIR', 'operation', 'Directory of the SQLite file, and of the secrets that are not set.'],
  ['DATABASE_URL', 'operation', 'Database server. Without it, SQLite in the data directory.'],
  ['DATABASE_POOL', 'operation', 'Connections of this node to the database server.'],
  ['ADMIN_TOKEN', 'operation', 'Credential of the administrator.', 'rotating-the-administrator-credential'],
  ['SECRET_KEY', 'operation', 'Key of cursors, fingerprints and stored responses.', 'secrets'],
  ['LOG_LEVEL', 'operation', 'Least severe entries of the log.', 'log-level'],
  ['INSTANCE_NAME', 'instance', 'How pages and messages call this service.', 'name-and-logo'],
  ['INSTANCE_LOGO', 'instance', 'Image beside the name: PNG, at most 64 KiB.', 'name-and-logo'],
  ['APP_URL', 'instance', 'URL of the application whose accounts these are.', 'name-and-logo'],
  ['REDIRECT_URLS', 'instance', 'Further URLs to which the pages of links may lead.', 'name-and-logo'],
  ['TEXTS_DIR', 'instance', 'Directory with own texts, languages and templates of messages.'],
  ['PUBLIC_URL', 'network', 'URL that clients use.'],
  ['CORS_ORIGINS', 'network', 'Origins whose pages may call the API.'],
  ['TRUST_PROXY', 'network', 'Proxies whose X-Forwarded-For is trusted.', 'behind-a-proxy'],
  ['RATE_LIMITS', 'limits', 'Whether requests are limited at all.', 'rate-limits'],
  ...LIMIT_NAMES.map((name): Entry => [limitVariable(name), 'limits', describeLimit(name), 'rate-limits']),
  [
    'LOAD_SHEDDING_MS',
    'operation',
    'Delay in milliseconds above which requests are rejected.',
    'rate-limits',
  ],
  ['PASSWORD_POLICY', 'logins', 'Rule for new passwords.', 'password-policy'],
  ['PASSWORD_PEPPER', 'logins', 'Secret that every password hash depends on.', 'password-pepper'],
  ['PASSWORD_THREADS', 'logins', 'Passwords that are hashed at the same time.'],
  ['PASSWORD_QUEUE', 'logins', 'Passwords that may wait to be hashed.'],
  ['PASSWORD_MAX_WAIT_MS', 'logins', 'Milliseconds for which a password may wait.'],
  ['REGISTRATION', 'registration', 'Whether anybody may register.'],
  ['USERS_CREATE', 'registration', 'Whether anybody or only the administrator may create user records.'],
  ['MAX_UNCLAIMED_USERS', 'registration', 'Records without a password that may exist at the same time.'],
  ['UNCLAIMED_USERS_DAYS', 'registration', 'Days after which these records are deleted.'],
  ['METADATA_INDEX', 'operation', 'Members of metadata by which users can be filtered.'],
  ['EVENTS_DAYS', 'events', 'Days after which events are deleted.'],
  ['EVENTS_ADDRESS', 'events', 'How much of the address of a client events keep, for 30 days.'],
  ['TOKEN_LIFETIME_DAYS', 'logins', 'Days until a new token expires.'],
  ['REQUIRE_VERIFIED_EMAIL', 'logins', 'Whether users can log in only after they have verified their email.'],
  [
    'JWT_AUDIENCES',
    'logins',
    'Services that verify JSON Web Tokens. Without it, none are issued.',
    'json-web-tokens',
  ],
  ['SMTP_URL', 'mail', 'Server that sends mail. Without it, messages wait in the database.', 'mail'],
  ['MAIL_FROM', 'mail', 'Sender of mail. Its name is the instance name if that is not set.', 'mail'],
  ['MAIL_TO_LOG', 'mail', 'Whether messages are written to the log instead of sent.', 'mail'],
  ['OPERATOR_EMAIL', 'events', 'Address that learns of webhooks which the service has disabled.'],
  ['WEBHOOK_ALLOW', 'events', 'Networks that webhooks may reach besides public addresses.'],
  ['CONSOLE', 'operation', 'Whether there is this console.'],
  [
    'SHUTDOWN_DELAY_SECONDS',
    'operation',
    'Seconds for which a stopping node still serves requests.',
    'stopping',
  ],
];

/** Descriptions by the name of the setting. */
export const SETTING_DESCRIPTIONS: ReadonlyMap<string, SettingDescription> = new Map(
  ENTRIES.map(([name, group, meaning, section = 'single-settings']) => [
    name,
    { group, meaning, docs: `/docs/operations#${section}` },
  ]),
);

export const SETTING_NAMES: readonly string[] = ENTRIES.map(([name]) => name);

function describeLimit(name: LimitName): string {
  const meanings: Readonly<Record<LimitName, string>> = {
    anon: 'Requests without a valid credential, per network.',
    user: 'Requests with a token, per user.',
    create: 'User records that others than the administrator create, per network.',
    'create-hour': 'The same, over an hour.',
    'create-day': 'The same, over a day.',
    register: 'Registrations, per network.',
    'register-hour': 'The same, over an hour.',
    login: 'Logins and changes of a password, per network.',
    'login-fail': 'Failed logins of one account from one network.',
    'login-account': 'Failed logins of one account from anywhere.',
    'admin-fail': 'Wrong administrator credentials, per network.',
    documents: 'Documents and pages of links, per network.',
    'password-reset': 'Links to set a password, requested or used, per network.',
    'email-verification': 'Links to verify an email, per network.',
    'token-create': 'Tokens that are created or rotated, per user.',
    write: 'Requests with a token that may change something, per network.',
    verify: 'Requests to verify tokens, per credential.',
  };
  return meanings[name];
}
