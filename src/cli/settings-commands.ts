/** Commands about settings. They write to the database; running nodes read it within seconds. */
import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  changeSettings,
  type RequestedChanges,
} from '../features/operation/configuration/change-settings.ts';
import { listSettings } from '../features/operation/configuration/settings-view.ts';
import { Problem } from '../problems/problem.ts';
import { loadSettings } from '../settings/live-settings.ts';
import { MAX_LOGO_BYTES, toLogoText } from '../settings/rules.ts';
import { RUN_TIME_SETTINGS } from '../settings/run-time-settings.ts';
import type { CommandContext } from './context.ts';

const EXAMPLES = `
Examples:
  npm run cli -- settings list
  npm run cli -- settings set TOKEN_LIFETIME_DAYS 7
  npm run cli -- settings set INSTANCE_LOGO --file logo.png
  npm run cli -- settings unset TOKEN_LIFETIME_DAYS

Every command prints JSON. A change is stored in the database: running nodes follow it within five seconds. A setting
of the environment (this shell and .env) wins over what is stored, and cannot be changed here.`;

const LOGO = 'INSTANCE_LOGO';

export function addSettingsCommands(program: Command, context: CommandContext): void {
  const settings = program
    .command('settings')
    .description('show settings, and change those that can change while the service runs')
    .addHelpText('after', EXAMPLES);
  settings
    .command('list')
    .description('list all settings with the values that apply')
    .option('--changed', 'only those that are set')
    .action(async ({ changed }: { changed?: boolean }) => {
      const list = await readAll(context);
      context.printJson(changed ? list.filter(({ source }) => source !== 'default') : list);
    });
  settings
    .command('get <name>')
    .description('show one setting')
    .action(async (name: string) => context.printJson(findSetting(await readAll(context), name)));
  settings
    .command('set <name> [value]')
    .description('store a value')
    .option('--file <path>', `a PNG image, as the value of ${LOGO}`)
    .action(async (name: string, value: string | undefined, { file }: { file?: string }) =>
      change(context, name, await readValue(name, value, file)),
    );
  settings
    .command('unset <name>')
    .description('delete the stored value, so that the default applies')
    .action((name: string) => change(context, name, null));
}

type ListedSetting = ReturnType<typeof listSettings>[number];

function readAll({ readSettings, withDatabase }: CommandContext): Promise<ListedSetting[]> {
  const { runTime, settings: startSettings } = readSettings();
  return withDatabase(async (database) =>
    listSettings({ settings: await loadSettings(database, runTime), startSettings }),
  );
}

function findSetting(list: readonly ListedSetting[], name: string): ListedSetting {
  const found = list.find((setting) => setting.name === name);
  if (found !== undefined) return found;
  throw new Error(`${name} is not a setting; "settings list" names all`);
}

/** Stores the text, or deletes the stored one for null. Prints the setting afterwards; null if it is not known. */
async function change(context: CommandContext, name: string, text: string | null): Promise<void> {
  const { runTime, settings: startSettings } = context.readSettings();
  // An unknown name can still be unset: another release may have stored it.
  if (!RUN_TIME_SETTINGS.has(name) && startSettings.some((setting) => setting.name === name))
    throw new Error(`${name} can only be set in the environment`);
  await context.createOrUseDatabase(async (database, clock) => {
    const settings = await loadSettings(database, runTime);
    const request: RequestedChanges = {
      changes: { [name]: text },
      scopes: ['admin'],
      isExpected: () => true,
    };
    await changeSettings({ database, clock, settings }, request).catch(explain);
    const list = listSettings({ settings, startSettings });
    context.printJson(list.find((setting) => setting.name === name) ?? null);
  });
}

/** The first message that names the setting, where a problem has one. */
function explain(error: unknown): never {
  const [detail] = error instanceof Problem ? (error.options.details ?? []) : [];
  throw detail === undefined ? error : new Error(detail.detail);
}

async function readValue(name: string, value: string | undefined, file: string | undefined): Promise<string> {
  if ((value === undefined) === (file === undefined)) throw new Error('give either a value or --file');
  if (value?.trim() === '') throw new Error('the value is empty: "settings unset" resets a setting');
  if (value !== undefined) return value;
  if (name !== LOGO) throw new Error(`--file is for ${LOGO} only`);
  const { size } = await stat(file!);
  if (size > MAX_LOGO_BYTES)
    throw new Error(`${file} has ${size} bytes: at most ${MAX_LOGO_BYTES} are allowed`);
  return toLogoText(await readFile(file!));
}
