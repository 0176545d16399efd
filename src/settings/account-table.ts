/** Settings of accounts, events, mail and the console. */
import { availableParallelism } from 'node:os';
import { STORED_ADDRESSES } from '../lib/network.ts';
import { choice, integer } from './rules.ts';
import { inDays, inRecords, oneOf, onOrOff, type SettingDefinition } from './setting-definition.ts';

export const ACCOUNT_SETTINGS = {
  PASSWORD_POLICY: {
    group: 'logins',
    meaning: 'Rule for new passwords.',
    values: '`contract`: 8 characters or more. `nist`: 15 or more, and no common passwords; recommended.',
    section: 'password-policy',
    rule: choice(['contract', 'nist']),
    fallback: 'contract',
  },
  PASSWORD_PEPPER: {
    group: 'logins',
    meaning: 'Secret that every password hash depends on.',
    values: 'Kept outside the database.',
    section: 'password-pepper',
  },
  PASSWORD_THREADS: {
    group: 'logins',
    meaning: 'Passwords that are hashed at the same time.',
    rule: integer({ min: 1, max: 256 }),
    fallback: String(availableParallelism()),
    standard: 'number of cores',
  },
  PASSWORD_QUEUE: {
    group: 'logins',
    meaning: 'Passwords that may wait to be hashed.',
    values: 'Beyond it, the response is 503.',
    rule: integer({ min: 1, max: 100_000 }),
    fallback: '100',
  },
  PASSWORD_MAX_WAIT_MS: {
    group: 'logins',
    meaning: 'Milliseconds for which a password may wait.',
    values: 'Beyond it, the response is 503.',
    rule: integer({ min: 100, max: 60_000 }),
    fallback: '2000',
  },
  REGISTRATION: {
    group: 'registration',
    meaning: 'Whether anybody may register.',
    values: '`closed`: registration is disabled.',
    ...oneOf(['open', 'closed'], 'open'),
  },
  HOSTED_PAGES: {
    group: 'registration',
    meaning: 'Whether people can sign in, register and manage their account on the pages of this service.',
    values: '`on` or `off` ([more](sign-in.md)).',
    ...onOrOff(['on', 'off'], 'on'),
  },
  PASSWORD_SIGN_IN: {
    group: 'registration',
    meaning:
      'Whether people can sign in with a password on the pages of this service. The API does not change.',
    values: '`on` or `off` ([more](sign-in.md)).',
    ...onOrOff(['on', 'off'], 'on'),
  },
  USERS_CREATE: {
    group: 'registration',
    meaning: 'Whether anybody or only the administrator may create user records.',
    values: '`open` or `admin`.',
    ...oneOf(['open', 'admin'], 'open'),
  },
  MAX_UNCLAIMED_USERS: {
    group: 'registration',
    meaning: 'Records without a password that may exist at the same time.',
    values: 'Those that anonymous callers and users have created; `off`: no limit.',
    ...inRecords('100000'),
  },
  UNCLAIMED_USERS_DAYS: {
    group: 'registration',
    meaning: 'Days after which these records are deleted.',
    ...inDays('7'),
  },
  METADATA_INDEX: {
    group: 'operation',
    meaning: 'Members of metadata by which users can be filtered.',
    values:
      'At most 5, separated by commas: `app_metadata.plan,user_metadata.company` ([more](accounts.md#find-users)).',
  },
  EVENTS_DAYS: {
    group: 'events',
    meaning: 'Days after which events are deleted. Fewer take effect after seven days.',
    ...inDays('180'),
  },
  EVENTS_ADDRESS: {
    group: 'events',
    meaning: 'How much of the address of a client events keep, for 30 days.',
    values: '`full`, `prefix` (/24 of IPv4, /48 of IPv6) or `none`.',
    ...oneOf(STORED_ADDRESSES, 'prefix'),
  },
  TOKEN_LIFETIME_DAYS: { group: 'logins', meaning: 'Days until a new token expires.', ...inDays('30') },
  REQUIRE_VERIFIED_EMAIL: {
    group: 'logins',
    meaning: 'Whether users can log in only after they have verified their email.',
    values: '`true` or `false`.',
    ...onOrOff(['true', 'false'], 'false'),
  },
  JWT_AUDIENCES: {
    group: 'logins',
    meaning: 'Services that verify JSON Web Tokens. Without it, none are issued.',
    values: 'Names or URLs, separated by commas.',
    section: 'json-web-tokens',
  },
  SMTP_URL: {
    group: 'mail',
    meaning: 'Server that sends mail. Without it, messages wait in the database.',
    values: '`smtp://user:password@host:port` or `smtps://…`; needs `MAIL_FROM` and `PUBLIC_URL`.',
    section: 'mail',
  },
  MAIL_FROM: {
    group: 'mail',
    meaning: 'Sender of mail. Its name is the instance name if that is not set.',
    values: '`Example <accounts@example.com>` or an address.',
    section: 'mail',
  },
  MAIL_TO_LOG: {
    group: 'mail',
    meaning: 'Whether messages are written to the log instead of sent.',
    values: '`true`: with their links; for development.',
    section: 'mail',
    rule: choice(['false', 'true']),
    fallback: 'false',
  },
  OPERATOR_EMAIL: {
    group: 'events',
    meaning: 'Address that learns of disabled webhooks and of a shorter EVENTS_DAYS.',
  },
  WEBHOOK_ALLOW: {
    group: 'events',
    meaning: 'Networks that webhooks may reach besides public addresses.',
    values: 'IP addresses or networks, separated by commas, by http too.',
  },
  CONSOLE: {
    group: 'operation',
    meaning: 'Whether there is this console.',
    values: '`off`: there is no [console](console.md) and no sign-in to it.',
    rule: choice(['on', 'off']),
    fallback: 'on',
  },
  SHUTDOWN_DELAY_SECONDS: {
    group: 'operation',
    meaning: 'Seconds for which a stopping node still serves requests.',
    values: 'Readiness fails meanwhile.',
    section: 'stopping',
    rule: integer({ min: 0, max: 300 }),
    fallback: '0',
  },
} as const satisfies Record<string, SettingDefinition<unknown>>;
