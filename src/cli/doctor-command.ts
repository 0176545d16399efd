/** `doctor`: checks the installation and says what to fix. */
import type { Command } from 'commander';
import { type Config, ConfigError } from '../config.ts';
import { checkDisk, checkSecretFiles } from '../features/checks/check-files.ts';
import { checkMail } from '../features/checks/check-mail.ts';
import { checkSettings } from '../features/checks/check-settings.ts';
import { type Finding, failure } from '../features/checks/finding.ts';
import { checkDatabase } from './doctor/check-database.ts';
import { FINDINGS, printable } from './output.ts';

const EXAMPLES = `
Examples:
  npm run cli -- doctor
  npm run cli -- doctor --json | jq '.[] | select(.status != "ok")'

Changes nothing and sends nothing. Run it as the user of the service and with its environment. Exits with 2 if there
is a warning or an error.`;

const MAIL_TIMEOUT_MS = 10_000;

/** Adds the command. */
export function addDoctorCommand(program: Command, readSettings: () => Config): void {
  program
    .command('doctor')
    .description('check settings, database, clock, mail, disk and secrets, and say what to fix')
    .option('--json', 'print one JSON array')
    .addHelpText('after', EXAMPLES)
    .action((options: { json?: boolean }) => examine(readSettings, options.json === true));
}

async function examine(readSettings: () => Config, asJson: boolean): Promise<void> {
  const findings = await checkAll(readSettings);
  if (asJson) console.log(JSON.stringify(findings));
  else
    for (const { check, status, message } of findings)
      console.log(`${status.padEnd(7)}  ${check.padEnd(10)}  ${printable(message)}`);
  if (findings.some(({ status }) => status !== 'ok')) process.exitCode = FINDINGS;
}

async function checkAll(readSettings: () => Config): Promise<Finding[]> {
  try {
    const config = readSettings();
    return [
      ...checkSettings(config),
      ...(await checkDatabase(config)),
      ...(await checkMail(config.mail, MAIL_TIMEOUT_MS)),
      ...(await checkDisk(config)),
      ...checkSecretFiles(config),
    ];
  } catch (error) {
    if (error instanceof ConfigError) return [failure('settings', error.message)];
    throw error;
  }
}
