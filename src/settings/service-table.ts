/** Settings of the process, the instance, the network and the limits. */

import { BACKUP_SETTINGS } from './backup-table.ts';
import { LIMITS } from './limit-table.ts';
import { describeLogo, parseLogo } from './logo.ts';
import { allowOff, choice, displayName, hexColor, integer, pageUrl } from './rules.ts';
import { format, onOrOff, type SettingDefinition } from './setting-definition.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Name of the product, which an instance has until the operator names it. */
const PRODUCT_NAME = 'Frontdesk';

export const SERVICE_SETTINGS = {
  HOST: {
    group: 'network',
    title: 'Address to listen on',
    meaning: 'IP address of this machine.',
    values: '`0.0.0.0` or `::` for all.',
    fallback: '127.0.0.1',
  },
  PORT: {
    group: 'network',
    title: 'Port',
    meaning: 'Where the API and the pages are served.',
    values: '`0` selects a free one.',
    rule: integer({ min: 0, max: 65_535 }),
    fallback: '3000',
  },
  REUSE_PORT: {
    group: 'network',
    title: 'Port shared by several processes',
    meaning: 'Whether several processes of this machine listen on the port.',
    values: '`on`: on Linux, with `DATABASE_URL`.',
    section: 'several-processes',
    rule: choice(['off', 'on']),
    fallback: 'off',
  },
  METRICS_PORT: {
    group: 'network',
    title: 'Port of the metrics',
    meaning: 'For Prometheus.',
    values: 'Without it, there are none; `0` selects a free one.',
    section: 'metrics',
    rule: integer({ min: 0, max: 65_535 }),
  },
  METRICS_HOST: {
    group: 'network',
    title: 'Address of the metrics',
    meaning: 'IP address of this machine.',
    section: 'metrics',
    fallback: '127.0.0.1',
  },
  DATA_DIR: {
    group: 'operation',
    title: 'Data directory',
    meaning: 'Directory of the SQLite file, and of the secrets that are not set.',
    fallback: './data',
  },
  DATABASE_URL: {
    group: 'operation',
    title: 'Database server',
    meaning: 'Where data is stored. Without it, SQLite in the data directory.',
    values: '`postgres://user:password@host/database`.',
  },
  DATABASE_POOL: {
    group: 'operation',
    title: 'Connections to the database',
    meaning: 'Most connections that this node opens to the server.',
    rule: integer({ min: 1, max: 1_000 }),
    fallback: '10',
  },
  ADMIN_TOKEN: {
    group: 'operation',
    title: 'Credential of the first owner',
    meaning: 'Credential of the administrator.',
    values: 'At least 32 visible ASCII characters; several, separated by commas, during a rotation.',
    section: 'rotating-the-administrator-credential',
    standard: 'generated at the first start',
  },
  SECRET_KEY: {
    group: 'operation',
    title: 'Secret key',
    meaning: 'Key of cursors, fingerprints and stored responses.',
    values: 'At least 32 visible ASCII characters; the same on all nodes of one database.',
    section: 'secrets',
    standard: 'generated at the first start',
  },
  ...BACKUP_SETTINGS,
  LOG_LEVEL: {
    group: 'operation',
    title: 'Level of the log',
    meaning: 'Least severe entries of the log.',
    values: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    section: 'log-level',
    rule: choice(LOG_LEVELS),
    fallback: 'info',
  },
  INSTANCE_NAME: {
    group: 'instance',
    title: 'Name of the service',
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
    title: 'Logo',
    meaning: 'Image beside the name: PNG, at most 64 KiB.',
    values: '`data:image/png;base64,…`.',
    section: 'name-and-logo',
    rule: parseLogo,
    fallback: null,
    describe: describeLogo,
    format: format('image'),
  },
  BRAND_COLOR: {
    group: 'instance',
    title: 'Colour',
    meaning: 'Colour of buttons and links on the pages for users, and in messages.',
    values: 'Such as `#3f52d4`; texts stay readable with any.',
    section: 'name-and-logo',
    rule: hexColor,
    fallback: null,
    format: format('text'),
  },
  APP_URL: {
    group: 'instance',
    title: 'Application',
    meaning: 'URL of the application whose accounts these are.',
    values: 'The pages of links lead back to it.',
    section: 'name-and-logo',
    rule: pageUrl,
    fallback: null,
    format: format('url'),
  },
  REDIRECT_URLS: {
    group: 'instance',
    title: 'Further redirect URLs',
    meaning: 'Where the pages of links may lead besides the application.',
    values: 'For `redirect_to`: origins, or URLs with the beginning of a path, separated by commas.',
    section: 'name-and-logo',
  },
  TEXTS_DIR: {
    group: 'instance',
    title: 'Directory of own texts',
    meaning: 'Texts, further languages and templates of messages are read from there.',
  },
  PUBLIC_URL: {
    group: 'network',
    title: 'Public URL',
    meaning: 'URL that clients use.',
    values: 'Such as `https://accounts.example.com`; without it, links are relative.',
  },
  CORS_ORIGINS: {
    group: 'network',
    title: 'Origins that may call the API',
    meaning: 'Sites whose pages may call it from a browser.',
    values: "Separated by commas; requests of other sites' pages that could change something are rejected.",
  },
  TRUST_PROXY: {
    group: 'network',
    title: 'Trusted proxies',
    meaning: 'Proxies whose X-Forwarded-For is trusted.',
    values: 'IP addresses or networks, separated by commas.',
    section: 'behind-a-proxy',
  },
  RATE_LIMITS: {
    group: 'limits',
    title: 'Rate limits',
    meaning: 'Whether there are any.',
    values: '`off` disables all rate limits.',
    section: 'rate-limits',
    ...onOrOff(['on', 'off'], 'on'),
  },
  ...LIMITS,
  LOAD_SHEDDING_MS: {
    group: 'operation',
    title: 'Load shedding',
    meaning: 'Delay in milliseconds above which requests are rejected.',
    values:
      'Mean delay of the event loop beside many requests, above which the response is 503; `off`: never.',
    section: 'rate-limits',
    rule: allowOff(integer({ min: 10, max: 60_000 })),
    fallback: '500',
  },
} as const satisfies Record<string, SettingDefinition<unknown>>;
