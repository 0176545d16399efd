import { readFileSync } from 'node:fs';

/** Reads a text that people write, without the byte order mark that some editors put before it. */
export function readText(file: string): string {
  return new TextDecoder().decode(readFileSync(file));
}
