/** All settings: read from the environment and checked before anything starts. */
import { findWrongNames, type ProcessEnvironment } from './config/environment-file.ts';
import {
  ConfigError,
  createReader,
  type Environment,
  listSettings,
  readRunTimeSettings,
} from './config/read-settings.ts';
import { createRelyingParty, type RelyingParty } from './features/people/sign-in/relying-party.ts';
import { SETTINGS } from './settings/table.ts';

export { ConfigError } from './config/read-settings.ts';

/** The settings as they were read. docs/configuration.md says what each means; null: not set. */
export type Config = ReturnType<typeof readConfig>;

export type LogLevel = ReturnType<typeof SETTINGS.LOG_LEVEL.rule>;

type ReadSetting = ReturnType<typeof createReader>;

/** @throws ConfigError naming the first wrong variable */
export function readConfig(environment: Environment) {
  const read = createReader(environment);
  const mail = readMail(read);
  const runTime = readRunTimeSettings(environment, mail.senderName);
  return Object.freeze({
    ...readAddresses(read),
    dataDir: read('DATA_DIR'),
    databaseUrl: read('DATABASE_URL'),
    databasePool: read('DATABASE_POOL'),
    // Several during a rotation; null: kept in a file, like the next one.
    adminTokens: read('ADMIN_TOKEN'),
    secretKey: read('SECRET_KEY'),
    logLevel: read('LOG_LEVEL'),
    publicUrl: read('PUBLIC_URL') ?? '',
    relyingParty: readRelyingParty(read),
    corsOrigins: read('CORS_ORIGINS') ?? [],
    trustProxy: read('TRUST_PROXY') ?? [],
    backups: readBackups(read),
    loadSheddingMs: read('LOAD_SHEDDING_MS'),
    jwtAudiences: readAudiences(read),
    ...readPasswordSettings(read),
    mail,
    redirectUrls: read('REDIRECT_URLS') ?? [],
    textsDir: read('TEXTS_DIR'),
    operatorEmail: read('OPERATOR_EMAIL'),
    webhookAllow: read('WEBHOOK_ALLOW') ?? [],
    console: read('CONSOLE') === 'on',
    adminSecondFactor: read('ADMIN_SECOND_FACTOR'),
    shutdownDelaySeconds: read('SHUTDOWN_DELAY_SECONDS'),
    runTime,
    settings: listSettings(environment, runTime),
  });
}

function readAddresses(read: ReadSetting) {
  const reusePort = read('REUSE_PORT') === 'on';
  if (reusePort && read('DATABASE_URL') === null)
    throw new ConfigError(
      'REUSE_PORT',
      'needs DATABASE_URL (PostgreSQL), because only one process can serve a SQLite file',
    );
  const port = read('METRICS_PORT');
  // Null: there are no metrics.
  const metrics = port === null ? null : { host: read('METRICS_HOST'), port };
  return { host: read('HOST'), port: read('PORT'), reusePort, metrics };
}

function readRelyingParty(read: ReadSetting): RelyingParty | null {
  const [publicUrl, rpId] = [read('PUBLIC_URL'), read('RP_ID')];
  const related = read('PASSKEY_ORIGINS') ?? [];
  if (publicUrl === null && (rpId !== null || related.length > 0))
    throw new ConfigError('PUBLIC_URL', 'is required with RP_ID and PASSKEY_ORIGINS');
  const found = createRelyingParty({ publicUrl, rpId, related });
  if (typeof found !== 'string') return found;
  throw new ConfigError('RP_ID', found);
}

function readPasswordSettings(read: ReadSetting) {
  return {
    passwordPolicy: read('PASSWORD_POLICY'),
    passwordPepper: read('PASSWORD_PEPPER'),
    passwordThreads: read('PASSWORD_THREADS'),
    passwordQueue: read('PASSWORD_QUEUE'),
    passwordMaxWaitMs: read('PASSWORD_MAX_WAIT_MS'),
  };
}

function readMail(read: ReadSetting) {
  const server = read('SMTP_URL');
  const from = read('MAIL_FROM');
  const others = { senderName: from?.name ?? '', toLog: read('MAIL_TO_LOG') === 'true' };
  if (server === null) return { smtp: null, ...others };
  if (from === null)
    throw new ConfigError('MAIL_FROM', 'is required with SMTP_URL, such as Example <accounts@example.com>');
  if (read('PUBLIC_URL') === null)
    throw new ConfigError('PUBLIC_URL', 'is required with SMTP_URL, because links in messages begin with it');
  return { smtp: { server, from }, ...others };
}

function readBackups(read: ReadSetting) {
  return Object.freeze({
    /** Null: none are made. */
    directory: read('BACKUP_DIR'),
    everyHours: read('BACKUP_EVERY'),
    keep: read('BACKUP_KEEP'),
    verifies: read('BACKUP_VERIFY') === 'on',
    recipient: read('BACKUP_RECIPIENT'),
  });
}

function readAudiences(read: ReadSetting): string[] {
  const audiences = read('JWT_AUDIENCES') ?? [];
  if (audiences.length > 0 && read('PUBLIC_URL') === null)
    throw new ConfigError(
      'PUBLIC_URL',
      'is required with JWT_AUDIENCES, because it is the issuer of the tokens',
    );
  return audiences;
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
