/** Generates a client from openapi.json, and the types of the pages from the client. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** The types of the pages. Declarations only: the client does not compile with the options of the pages. */
export const API_TYPES = join(ROOT, 'web/common/api-client.d.ts');

/** Runs a program of `node_modules`. @throws Error with its output */
export async function runBin(name: string, parameters: readonly string[]): Promise<void> {
  await run(join(ROOT, 'node_modules/.bin', name), parameters).catch(({ stdout, stderr }) => {
    throw new Error(`${name}: ${stdout}${stderr}`);
  });
}

/** Creates a temporary directory inside the project, so that packages resolve. */
export function makeClientDirectory(): string {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, 'generated-client-'));
}

/** Returns the path of the client. `--allSchemas` adds schemas of responses that it never requests. */
export async function generateClient(directory: string): Promise<string> {
  const path = join(directory, 'api-client.ts');
  await runBin('oazapfts', ['--allSchemas', join(ROOT, 'openapi.json'), path]);
  return path;
}

const DECLARATIONS = '--ignoreConfig --strict --target esnext --module esnext --moduleResolution bundler';

/** Returns the types of the client. */
export async function generateApiTypes(): Promise<string> {
  const directory = makeClientDirectory();
  try {
    const client = await generateClient(directory);
    await runBin('tsc', [...DECLARATIONS.split(' '), '--declaration', '--emitDeclarationOnly', client]);
    return readFileSync(join(directory, 'api-client.d.ts'), 'utf8');
  } finally {
    rmSync(directory, { recursive: true });
  }
}
