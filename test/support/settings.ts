/** Assertions about invalid settings. */
import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../../src/config.ts';

/** Asserts that the value is rejected with one line that begins with the name of the setting. Returns the line. */
export function assertRejected(name: string, value: string): string {
  let line = '';
  const isOneLine = (error: unknown) => {
    line = (error as Error).message;
    return error instanceof ConfigError && line.startsWith(`${name} `) && !/[\r\n]/.test(line);
  };
  assert.throws(() => readConfig({ [name]: value }), isOneLine, `${name}=${value}`);
  return line;
}
