/** The version of the program. */
import { readFileSync } from 'node:fs';

/** Returns the version that package.json states. */
export function readVersion(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
