/** Settings of the environment that can also change while the service runs. */
import type { EffectiveSetting } from '../settings/effective-setting.ts';
import type { EnvironmentSettings } from '../settings/live-settings.ts';
import { describeValue, findUnknownLimit, RUN_TIME_SETTINGS } from '../settings/run-time-settings.ts';
import { ConfigError, type Reader } from './reader.ts';

interface RunTimeEnvironment extends EnvironmentSettings {
  /** As they apply while nothing is stored in the database. */
  readonly settings: readonly EffectiveSetting[];
}

/**
 * Reads what the environment fixes. `mailName` is the name in MAIL_FROM: messages had it before there was
 * INSTANCE_NAME, so it is the default of that if it is not empty.
 * @throws ConfigError
 */
export function readRunTimeSettings(read: Reader, mailName: string): RunTimeEnvironment {
  const unknown = findUnknownLimit(read.names());
  if (unknown !== undefined) {
    const known = [...RUN_TIME_SETTINGS.keys()].filter((name) => name.startsWith('RATE_LIMIT_'));
    throw new ConfigError(unknown, `is not a setting; the rate limits are ${known.join(', ')}`);
  }
  const fixed = new Map<string, string>();
  const defaults = new Map(mailName === '' ? [] : [['INSTANCE_NAME', mailName]]);
  const settings: EffectiveSetting[] = [];
  for (const [name, { rule, fallback }] of RUN_TIME_SETTINGS) {
    const given = read.given(name);
    if (given !== null) {
      read.check(name, rule, given);
      fixed.set(name, given);
    }
    const standard = defaults.get(name) ?? fallback;
    const text = given ?? standard;
    settings.push({
      name,
      value: text === null ? null : describeValue(name, text),
      source: given === null ? 'default' : 'environment',
      default: standard,
      is_secret: false,
      is_set: text !== null,
    });
  }
  return { fixed, defaults, settings };
}
