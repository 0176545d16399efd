/** Settings of the process, the instance, the network and the limits. */

import { LIMITS } from './limit-table.ts';
import { describeLogo, parseLogo } from './logo.ts';
import { allowOff, choice, displayName, hours, integer, pageUrl } from './rules.ts';
import { format, onOrOff, type SettingDefinition } from './setting-definition.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Name of the product, which an instance has until the operator names it. */
const PRODUCT_NAME = 'Frontdesk';

export const SERVICE_SETTINGS = {
  HOST: {
    group: 'network',
    meaning: 'IP address to listen on.',
    values: '`0.0.0.0` or `::` for all.',
    fallback: '127.0.0.1',
  },
  PORT: {
    group: 'network',
    meaning: 'Port to listen on.',
    values: '`0` selects a free one.',
    rule: integer({ min: 0, max: 65_535 }),
    fallback: '3000',
  },
  REUSE_PORT: {
    group: 'network',
    meaning: 'Whether several processes of this machine listen on the port.',
    values: '`on`: on Linux, with `DATABASE_URL`.',
    section: 'several-processes',
    rule: choice(['off', 'on']),
    fallback: 'off',
  },
  METRICS_PORT: {
    group: 'network',
    meaning: 'Port of the metrics for Prometheus.',
    values: 'Without it, there are none; `0` selects a free one.',
    section: 'metrics',
    rule: integer({ min: 0, max: 65_535 }),
  },
  METRICS_HOST: {
    group: 'network',
    meaning: 'IP address to listen on for the metrics.',
    section: 'metrics',
    fallback: '127.0.0.1',
  },
  DATA_DIR: {
    group: 'operation',
    meaning: 'Directory of the SQLite file, and of the secrets that are not set.',
    fallback: './data',
  },
  DATABASE_URL: {
    group: 'operation',
    meaning: 'Database server. Without it, SQLite in the data directory.',
    values: '`postgres://user:password@host/database`.',
  },
  DATABASE_POOL: {
    group: 'operation',
    meaning: 'Connections of this node to the database server.',
    rule: integer({ min: 1, max: 1_000 }),
    fallback: '10',
  },
  ADMIN_TOKEN: {
    group: 'operation',
    meaning: 'Credential of the administrator.',
    values: 'At least 32 visible ASCII characters; several, separated by commas, during a rotation.',
    section: 'rotating-the-administrator-credential',
    standard: 'generated at the first start',
  },
  SECRET_KEY: {
    group: 'operation',
    meaning: 'Key of cursors, fingerprints and stored responses.',
    values: 'At least 32 visible ASCII characters; the same on all nodes of one database.',
    section: 'secrets',
    standard: 'generated at the first start',
  },
  BACKUP_DIR: {
    group: 'operation',
    meaning: 'Directory in which the service makes backups. Without it, it makes none.',
    section: 'backups',
  },
  BACKUP_EVERY: {
    group: 'operation',
    meaning: 'Hours between two backups.',
    values: 'Decimals are allowed.',
    section: 'backups',
    rule: hours,
    fallback: '24',
  },
  BACKUP_KEEP: {
    group: 'operation',
    meaning: 'Number of backups that are kept; older ones are deleted.',
    section: 'backups',
    rule: integer({ min: 1, max: 100_000 }),
    fallback: '14',
  },
  BACKUP_VERIFY: {
    group: 'operation',
    meaning: 'Whether each backup is verified by restoring it.',
    values: '`on` or `off`.',
    section: 'backups',
    rule: choice(['on', 'off']),
    fallback: 'on',
  },
  BACKUP_RECIPIENT: {
    group: 'operation',
    meaning: 'Public key of age for which backups are encrypted.',
    values: '`age1…`; the secret key stays elsewhere.',
    section: 'backups',
  },
  LOG_LEVEL: {
    group: 'operation',
    meaning: 'Least severe entries of the log.',
    values: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    section: 'log-level',
    rule: choice(LOG_LEVELS),
    fallback: 'info',
  },
  INSTANCE_NAME: {
    group: 'instance',
    meaning: 'How pages and messages call this service.',
    values: 'Your application or company.',
    section: 'name-and-logo',
    rule: displayName,
    fallback: PRODUCT_NAME,
    standard: `the name in \`MAIL_FROM\`, or \`${PRODUCT_NAME}\``,
    format: format('text'),
  },
  INSTANCE_LOGO: {
    group: 'instance',
    meaning: 'Image beside the name: PNG, at most 64 KiB.',
    values: '`data:image/png;base64,…`.',
    section: 'name-and-logo',
    rule: parseLogo,
    fallback: null,
    describe: describeLogo,
    format: format('image'),
  },
  APP_URL: {
    group: 'instance',
    meaning: 'URL of the application whose accounts these are.',
    values: 'The pages of links lead back to it.',
    section: 'name-and-logo',
    rule: pageUrl,
    fallback: null,
    format: format('url'),
  },
  REDIRECT_URLS: {
    group: 'instance',
    meaning: 'Further URLs to which the pages of links may lead.',
    values: 'For `redirect_to`: origins, or URLs with the beginning of a path, separated by commas.',
    section: 'name-and-logo',
  },
  TEXTS_DIR: {
    group: 'instance',
    meaning: 'Directory with own texts, languages and templates of messages.',
  },
  PUBLIC_URL: {
    group: 'network',
    meaning: 'URL that clients use.',
    values: 'Such as `https://accounts.example.com`; without it, links are relative.',
  },
  CORS_ORIGINS: {
    group: 'network',
    meaning: 'Origins whose pages may call the API.',
    values: "Separated by commas; requests of other sites' pages that could change something are rejected.",
  },
  TRUST_PROXY: {
    group: 'network',
    meaning: 'Proxies whose X-Forwarded-For is trusted.',
    values: 'IP addresses or networks, separated by commas.',
    section: 'behind-a-proxy',
  },
  RATE_LIMITS: {
    group: 'limits',
    meaning: 'Whether requests are limited at all.',
    values: '`off` disables all rate limits.',
    section: 'rate-limits',
    ...onOrOff(['on', 'off'], 'on'),
  },
  ...LIMITS,
  LOAD_SHEDDING_MS: {
    group: 'operation',
    meaning: 'Delay in milliseconds above which requests are rejected.',
    values: 'Mean delay of the event loop, above which the response is 503; `off`: never.',
    section: 'rate-limits',
    rule: allowOff(integer({ min: 10, max: 60_000 })),
    fallback: '500',
  },
} as const satisfies Record<string, SettingDefinition<unknown>>;
