/** The settings by subject, each with its meaning. README.md documents their values. */

export interface SettingGroup {
  readonly id: string;
  readonly title: string;
  readonly meanings: Readonly<Record<string, string>>;
}

export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    id: 'registration',
    title: 'Registration',
    meanings: {
      REGISTRATION: 'Whether anybody may register.',
      USERS_CREATE: 'Whether anybody or only the administrator may create user records.',
      MAX_UNCLAIMED_USERS: 'Records without a password that may exist at the same time.',
      UNCLAIMED_USERS_DAYS: 'Days after which these records are deleted.',
    },
  },
  {
    id: 'logins',
    title: 'Logins and passwords',
    meanings: {
      TOKEN_LIFETIME_DAYS: 'Days until a token expires.',
      REQUIRE_VERIFIED_EMAIL: 'Whether users can log in only after they have verified their email.',
      PASSWORD_POLICY: 'Rule for new passwords.',
      PASSWORD_PEPPER: 'Secret that every password hash depends on.',
      PASSWORD_THREADS: 'Passwords that are hashed at the same time.',
      PASSWORD_QUEUE: 'Passwords that may wait to be hashed.',
      PASSWORD_MAX_WAIT_MS: 'Milliseconds for which a password may wait.',
    },
  },
  {
    id: 'mail',
    title: 'Mail',
    meanings: {
      SMTP_URL: 'Server that sends mail. Without it, messages wait in the database.',
      MAIL_FROM: 'Sender of mail. Its name is what messages and pages call the service.',
      MAIL_TO_LOG: 'Whether messages are written to the log instead of sent.',
    },
  },
  {
    id: 'events',
    title: 'Events and webhooks',
    meanings: {
      EVENTS_DAYS: 'Days after which events are deleted.',
      EVENTS_ADDRESS: 'How much of the address of a client events keep, for 30 days.',
      WEBHOOK_ALLOW: 'Networks that webhooks may reach besides public addresses.',
      OPERATOR_EMAIL: 'Address that learns of webhooks which the service has disabled.',
    },
  },
  {
    id: 'network',
    title: 'Network',
    meanings: {
      HOST: 'IP address to listen on.',
      PORT: 'Port to listen on.',
      PUBLIC_URL: 'URL that clients use.',
      CORS_ORIGINS: 'Origins whose pages may call the API.',
      TRUST_PROXY: 'Proxies whose X-Forwarded-For is trusted.',
    },
  },
  {
    id: 'operation',
    title: 'Operation',
    meanings: {
      DATA_DIR: 'Directory of the SQLite file, and of the secrets that are not set.',
      DATABASE_URL: 'Database server. Without it, SQLite in the data directory.',
      DATABASE_POOL: 'Connections of this node to the database server.',
      ADMIN_TOKEN: 'Credential of the administrator.',
      SECRET_KEY: 'Key of cursors, fingerprints and stored responses.',
      LOG_LEVEL: 'Least severe entries of the log.',
      CONSOLE: 'Whether there is this console.',
      LOAD_SHEDDING_MS: 'Delay in milliseconds above which requests are rejected.',
      SHUTDOWN_DELAY_SECONDS: 'Seconds for which a stopping node still serves requests.',
      RATE_LIMITS: 'Whether requests are limited at all.',
    },
  },
];

/** Settings that this release of the console does not know, as during an upgrade. */
export const OTHER_SETTINGS: SettingGroup = { id: 'other', title: 'Other settings', meanings: {} };

/** The setting that changes a limit: `RATE_LIMIT_LOGIN_FAIL` for `login-fail`. */
export function toLimitSetting(limit: string): string {
  return `RATE_LIMIT_${limit.toUpperCase().replaceAll('-', '_')}`;
}

export const LIMIT_MEANINGS: Readonly<Record<string, string>> = {
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
};
