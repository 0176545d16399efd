/** `doctor`: checks the installation and names what to fix. */
import type { Command } from 'commander';
import { describeConfigError, type ProcessEnvironment } from '../config/environment-file.ts';
import { type Config, ConfigError, findWrongSettingNames } from '../config.ts';
import { type Database, PermissionDenied } from '../database/database.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { addSetting } from '../database/settings.ts';
import { checkMetadata } from '../features/identity-providers/check-provider.ts';
import { listEnabledProviders } from '../features/identity-providers/queries.ts';
import {
  checkBackups,
  checkConnection,
  checkContents,
  unreachable,
} from '../features/operation/checks/check-database.ts';
import {
  checkDisk,
  checkMail,
  checkSecretFiles,
  checkSettings,
  checkStoredSettings,
  checkTexts,
} from '../features/operation/checks/check-settings.ts';
import {
  type Finding,
  failure,
  getReason,
  MIGRATE,
  ok,
  warning,
} from '../features/operation/checks/finding.ts';
import { deleteTokensOfUser } from '../features/people/tokens/queries.ts';
import { lockUser } from '../features/users/records/queries.ts';
import { createAddressPolicy } from '../lib/outbound/address-policy.ts';
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts';
import { newId } from '../lib/secrets/ids.ts';
import { loadSettings } from '../settings/live-settings.ts';
import { type CommandContext, printable } from './context.ts';

const EXAMPLES = `
Examples:
  npm run cli -- doctor
  npm run cli -- doctor --json | jq '.[] | select(.status != "ok")'

Changes nothing and sends nothing. Checks the settings of this shell and of .env in this directory: run it as the user
of the service, in its directory and with its environment. A running node checks its own settings at
GET /api/v1/admin/checks. Exits with 2 if there is a warning or an error.`;

const MAIL_TIMEOUT_MS = 10_000;

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'check settings, texts, database, clock, identity providers, mail, disk and secrets, and name what to fix',
    )
    .option('--json', 'print one JSON array')
    .addHelpText('after', EXAMPLES)
    .action((options: { json?: boolean }) => examine(context, options.json === true));
}

async function examine(context: CommandContext, asJson: boolean): Promise<void> {
  const findings = await checkAll(context);
  if (asJson) context.print(JSON.stringify(findings));
  else
    for (const { check, status, message } of findings)
      context.print(`${status.padEnd(7)}  ${check.padEnd(10)}  ${printable(message)}`);
  if (findings.some(({ status }) => status !== 'ok')) context.reportFindings();
}

async function checkAll({ readEnvironment, readSettings }: CommandContext): Promise<Finding[]> {
  const environment = readEnvironment();
  const wrong = findWrongSettingNames(environment);
  const describe = (error: ConfigError) => failure('settings', describeConfigError(error, environment));
  if (wrong.length > 0) return wrong.map(describe);
  try {
    const config = readSettings();
    const findings = [
      ...checkSettings(config),
      ...(await checkTexts(config)),
      ...(await checkDatabase(config)),
      ...(await checkMail(config.mail, MAIL_TIMEOUT_MS)),
      ...(await checkDisk(config)),
      ...checkSecretFiles(config),
    ];
    return findings.map((finding) => nameSource(finding, environment));
  } catch (error) {
    if (error instanceof ConfigError) return [describe(error)];
    throw error;
  }
}

/** Adds the source to a finding about settings, which may differ from those of the service. */
function nameSource(finding: Finding, { file, fileExists }: ProcessEnvironment): Finding {
  const { check, status, message } = finding;
  const source = fileExists ? `this shell and ${file}` : `this shell (there is no ${file})`;
  const others = 'a running node may have others, which GET /api/v1/admin/checks checks';
  if (check === 'settings' && status === 'ok')
    return { ...finding, message: `The settings of ${source} are valid; ${others}` };
  // The mail server is one of the settings.
  const isAdvice = status === 'warning' && (check === 'settings' || check === 'mail');
  return isAdvice ? { ...finding, message: `in ${source}: ${message}` } : finding;
}

/** Checks the database: reachable, migrated, writable, and its clock. Changes nothing. */
async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    if (!isCreated(config))
      return [warning('database', `There is no database in ${config.dataDir} yet: ${MIGRATE}`)];
    const database = openDatabase(config);
    const findings = checkConnection(database, config, () => checkOpened(database, config));
    return await findings.finally(() => database.close());
  } catch (error) {
    return [unreachable(error)];
  }
}

async function checkOpened(
  database: Database,
  { runTime, backups, publicUrl, trustProxy, relyingParty, webhookAllow }: Config,
): Promise<Finding[]> {
  let skewMs = 0;
  await database.startClock((found) => {
    skewMs = found;
  });
  const checkRights = () => tryWriting(database);
  const checked = { publicUrl, trustProxy, relyingParty, skewMs, now: Date.now(), checkRights };
  const findings = await checkContents(database, checked);
  const isCurrent = findings.some(({ check, status }) => check === 'schema' && status === 'ok');
  if (!isCurrent) return findings;
  const now = Date.now();
  return [
    ...findings,
    // A command does not know since when the service has been running.
    await checkBackups(database, backups, { startedAt: now, now }),
    ...checkStoredSettings((await loadSettings(database, runTime)).ignored),
    ...(await checkProviders(database, webhookAllow)),
  ];
}

/** Reads the metadata of the identity providers with which people can sign in. */
async function checkProviders(database: Database, allowed: readonly string[]): Promise<Finding[]> {
  const fetch = createGuardedFetch({ policy: createAddressPolicy(allowed) });
  const providers = (await listEnabledProviders(database)).filter(({ kind }) => kind === 'oidc');
  return Promise.all(
    providers.map(async (provider) => {
      const failed = (await checkMetadata(fetch, provider)).find(({ status }) => status === 'failed');
      if (failed === undefined) return ok('providers', `${provider.name} can be reached`);
      return failure('providers', `Nobody can sign in with ${provider.name}: ${failed.message}`);
    }),
  );
}

class RolledBack extends Error {}

/** Inserts, updates and deletes in a transaction that is rolled back. */
async function tryWriting(database: Database): Promise<Finding> {
  const id = newId();
  try {
    await database.transaction(async (tx) => {
      await addSetting(tx, { name: `doctor ${id}`, value: '' });
      await lockUser(tx, id);
      await deleteTokensOfUser(tx, id);
      throw new RolledBack();
    });
  } catch (error) {
    if (error instanceof PermissionDenied)
      return failure(
        'rights',
        `${getReason(error)}: grant the role select, insert, update and delete on all tables`,
      );
    if (!(error instanceof RolledBack))
      return failure('rights', `the database cannot be written: ${getReason(error)}`);
  }
  return ok('rights', 'the database can be written');
}
