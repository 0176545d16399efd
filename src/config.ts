/** All settings: read from the environment and checked before anything starts. */
import { resolve } from 'node:path';
import { backupSettings } from './config/backups.ts';
import { databaseUrl } from './config/database-url.ts';
import { findWrongNames, type ProcessEnvironment } from './config/environment-file.ts';
import { jwtAudiences, origin, proxyNetwork, redirectUrl, webhookNetwork } from './config/lists.ts';
import { mailSettings, operatorEmail } from './config/mail.ts';
import { ConfigError, type Environment, Reader, readSecret, readSecrets } from './config/reader.ts';
import { readRunTimeSettings } from './config/run-time.ts';
import { baseUrl } from './settings/rules.ts';
import type { EffectiveSetting } from './settings/setting-definition.ts';
import { SETTINGS } from './settings/table.ts';

export { ConfigError } from './config/reader.ts';

/** The settings as they were read. docs/configuration.md says what each means; null: not set. */
export type Config = ReturnType<typeof readConfig>;

export type LogLevel = ReturnType<typeof SETTINGS.LOG_LEVEL.rule>;

/** @throws ConfigError naming the first wrong variable */
export function readConfig(environment: Environment) {
  const read = new Reader(environment);
  const mail = mailSettings(read);
  const { settings, ...runTime } = readRunTimeSettings(read, mail.senderName);
  return Object.freeze({
    ...addresses(read),
    dataDir: read.path('DATA_DIR', SETTINGS.DATA_DIR.fallback),
    databaseUrl: databaseUrl(read, 'DATABASE_URL'),
    databasePool: read.setting('DATABASE_POOL'),
    // Several during a rotation; null: kept in a file, like the next one.
    adminTokens: readSecrets(read, 'ADMIN_TOKEN'),
    secretKey: readSecret(read, 'SECRET_KEY'),
    logLevel: read.setting('LOG_LEVEL'),
    publicUrl: read.optional('PUBLIC_URL', baseUrl) ?? '',
    corsOrigins: read.list('CORS_ORIGINS', origin),
    trustProxy: read.list('TRUST_PROXY', proxyNetwork),
    backups: backupSettings(read),
    loadSheddingMs: read.setting('LOAD_SHEDDING_MS'),
    jwtAudiences: jwtAudiences(read, 'JWT_AUDIENCES'),
    ...passwordSettings(read),
    mail,
    redirectUrls: read.list('REDIRECT_URLS', redirectUrl),
    textsDir: read.optional('TEXTS_DIR', (path) => resolve(path)),
    operatorEmail: read.optional('OPERATOR_EMAIL', operatorEmail),
    webhookAllow: read.list('WEBHOOK_ALLOW', webhookNetwork),
    console: read.setting('CONSOLE') === 'on',
    adminSecondFactor: read.setting('ADMIN_SECOND_FACTOR'),
    shutdownDelaySeconds: read.setting('SHUTDOWN_DELAY_SECONDS'),
    runTime,
    // After all others have been read.
    settings: sortSettings([...read.settings.values(), ...settings]),
  });
}

function addresses(read: Reader) {
  const reusePort = read.setting('REUSE_PORT') === 'on';
  if (reusePort && read.given('DATABASE_URL') === null)
    throw new ConfigError(
      'REUSE_PORT',
      'needs DATABASE_URL (PostgreSQL), because only one process can serve a SQLite file',
    );
  return {
    host: read.text('HOST', SETTINGS.HOST.fallback),
    port: read.setting('PORT'),
    reusePort,
    metrics: metricsAddress(read),
  };
}

/** Null: there are no metrics. */
function metricsAddress(read: Reader) {
  const port = read.optional('METRICS_PORT', SETTINGS.METRICS_PORT.rule);
  const host = read.text('METRICS_HOST', SETTINGS.METRICS_HOST.fallback);
  return port === null ? null : { host, port };
}

function passwordSettings(read: Reader) {
  return {
    passwordPolicy: read.setting('PASSWORD_POLICY'),
    passwordPepper: read.secretText('PASSWORD_PEPPER'),
    passwordThreads: read.setting('PASSWORD_THREADS'),
    passwordQueue: read.setting('PASSWORD_QUEUE'),
    passwordMaxWaitMs: read.setting('PASSWORD_MAX_WAIT_MS'),
  };
}

/** Sorts by the order of the table. */
function sortSettings(settings: readonly EffectiveSetting[]): readonly EffectiveSetting[] {
  const names = Object.keys(SETTINGS);
  return settings.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** Names that the environment may have: settings, and the credential of the command `api`. */
const KNOWN_NAMES = [...Object.keys(SETTINGS), 'FRONTDESK_CREDENTIAL'];

export function findWrongSettingNames(environment: ProcessEnvironment): ConfigError[] {
  return findWrongNames(environment, KNOWN_NAMES);
}

/** @throws ConfigError naming the first mistyped name of a setting */
export function checkSettingNames(environment: ProcessEnvironment): void {
  const [wrong] = findWrongSettingNames(environment);
  if (wrong !== undefined) throw wrong;
}
