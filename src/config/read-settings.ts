/** Reads settings of the environment by the table, and describes them without secrets. */
import { listRunTimeSettings } from '../settings/live-settings.ts';
import { InvalidValue } from '../settings/rules.ts';
import { findUnknownLimit, RUN_TIME_SETTINGS } from '../settings/run-time-settings.ts';
import type { EffectiveSetting, SettingDefinition } from '../settings/setting-definition.ts';
import { DEFINITIONS, parseSetting, type SettingName, type SettingValue } from '../settings/table.ts';

/** A setting has an invalid value. The message is one line that names the setting and its rule. */
export class ConfigError extends Error {
  readonly setting: string;

  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.name = 'ConfigError';
    this.setting = setting;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the text of a variable; null if it is not set. Empty variables, as of Compose files, are not set. */
export const getText = (environment: Environment, name: string) => environment[name]?.trim() || null;

/** Returns the function that reads a setting by its rule. It throws ConfigError. */
export function createReader(environment: Environment) {
  return <Name extends SettingName>(name: Name): SettingValue<Name> => {
    try {
      return parseSetting(name, getText(environment, name));
    } catch (error) {
      throw error instanceof InvalidValue ? new ConfigError(name, error.message) : error;
    }
  };
}

/**
 * Reads settings of the environment that can also change while the service runs. `mailName`: default of INSTANCE_NAME if
 * it is not empty. @throws ConfigError
 */
export function readRunTimeSettings(environment: Environment, mailName: string) {
  const names = Object.keys(environment).filter((name) => getText(environment, name) !== null);
  const unknown = findUnknownLimit(names);
  if (unknown !== undefined) {
    const known = [...RUN_TIME_SETTINGS.keys()].filter((name) => name.startsWith('RATE_LIMIT_'));
    throw new ConfigError(unknown, `is not a setting; the rate limits are ${known.join(', ')}`);
  }
  const read = createReader(environment);
  const given = names.filter((name) => RUN_TIME_SETTINGS.has(name));
  for (const name of given) read(name as SettingName);
  const fixed = new Map(given.map((name) => [name, getText(environment, name)!]));
  return { fixed, defaults: new Map(mailName === '' ? [] : [['INSTANCE_NAME', mailName]]) };
}

/** Returns all settings with the values that apply at the start, in the order of the table. */
export function listSettings(
  environment: Environment,
  runTime: ReturnType<typeof readRunTimeSettings>,
): readonly EffectiveSetting[] {
  const runTimeSettings = new Map(listRunTimeSettings(runTime).map((setting) => [setting.name, setting]));
  return Array.from(DEFINITIONS, ([name, definition]) =>
    Object.freeze(
      runTimeSettings.get(name) ?? toEffectiveSetting(name, definition, getText(environment, name)),
    ),
  );
}

function toEffectiveSetting(
  name: string,
  { fallback = null, secret, describe = (text) => text }: SettingDefinition<unknown>,
  given: string | null,
): EffectiveSetting {
  const source = given === null ? 'default' : 'environment';
  if (secret !== undefined) {
    const value = secret === 'all' || given === null ? null : maskUrl(given);
    return { name, source, value, default: null, is_secret: true, is_set: given !== null };
  }
  const [value, standard] = [given ?? fallback, fallback].map((text) =>
    text === null ? null : describe(text),
  );
  return { name, source, value: value!, default: standard!, is_secret: false, is_set: value !== null };
}

const MASK = '***';
/** All others are masked, because drivers read passwords and keys from parameters as well. */
const SHOWN_PARAMETERS = ['host', 'port', 'user', 'sslmode', 'uselibpqcompat', 'application_name', 'tls'];

/** Returns the URL without its password and fragment, and without parameters that may be secret; null if it is none. */
export function maskUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  // Some mail services use one secret for both.
  if (url.username !== '' && decoded(url.username) === decoded(url.password)) url.username = MASK;
  if (url.password !== '') url.password = MASK;
  url.hash = '';
  for (const name of [...url.searchParams.keys()])
    if (!SHOWN_PARAMETERS.includes(name)) url.searchParams.set(name, MASK);
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
