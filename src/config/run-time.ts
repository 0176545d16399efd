/** Settings of the environment that can also change while the service runs. */
import { listRunTimeSettings } from '../settings/live-settings.ts';
import { findUnknownLimit, RUN_TIME_SETTINGS } from '../settings/run-time-settings.ts';
import { ConfigError, type Reader } from './reader.ts';

/**
 * Reads the values that the environment fixes. `mailName`: default of INSTANCE_NAME if it is not empty. @throws
 * ConfigError
 */
export function readRunTimeSettings(read: Reader, mailName: string) {
  const unknown = findUnknownLimit(read.names());
  if (unknown !== undefined) {
    const known = [...RUN_TIME_SETTINGS.keys()].filter((name) => name.startsWith('RATE_LIMIT_'));
    throw new ConfigError(unknown, `is not a setting; the rate limits are ${known.join(', ')}`);
  }
  const fixed = new Map<string, string>();
  const defaults = new Map(mailName === '' ? [] : [['INSTANCE_NAME', mailName]]);
  for (const [name, { rule }] of RUN_TIME_SETTINGS) {
    const given = read.given(name);
    if (given === null) continue;
    read.check(name, rule, given);
    fixed.set(name, given);
  }
  return { fixed, defaults, settings: listRunTimeSettings({ fixed, defaults }) };
}
