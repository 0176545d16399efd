/** Assertions about invalid settings. */
import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../../src/config.ts';
import { type CurrentSettings, createCurrentSettings } from '../../src/settings/run-time-settings.ts';

/** Returns the settings that can change at run time as they apply while nothing is stored. */
export function readCurrentSettings(environment: Readonly<Record<string, string>> = {}): CurrentSettings {
  const { defaults, fixed } = readConfig(environment).runTime;
  return createCurrentSettings(new Map([...defaults, ...fixed]));
}

/** Asserts that the value is rejected with one line that begins with the name of the setting. Returns the line. */
export function assertRejected(
  name: string,
  value: string,
  others: Readonly<Record<string, string>> = {},
): string {
  let line = '';
  const isOneLine = (error: unknown) => {
    line = (error as Error).message;
    return error instanceof ConfigError && line.startsWith(`${name} `) && !/[\r\n]/.test(line);
  };
  assert.throws(() => readConfig({ ...others, [name]: value }), isOneLine, `${name}=${value}`);
  return line;
}
