/** `doctor`: checks the installation and names what to fix. */
import type { Command } from 'commander';
import { describeConfigError, type ProcessEnvironment } from '../config/environment-file.ts';
import { ConfigError, findWrongSettingNames } from '../config.ts';
import { checkDisk, checkSecretFiles } from '../features/operation/checks/check-files.ts';
import { checkMail, checkSettings, checkTexts } from '../features/operation/checks/check-settings.ts';
import { type Finding, failure } from '../features/operation/checks/finding.ts';
import { checkDatabase } from './check-database.ts';
import type { CommandContext } from './context.ts';
import { printable } from './output.ts';

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
