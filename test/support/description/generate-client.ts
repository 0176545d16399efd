/** Generates a client from openapi.json, and the types of the pages from the client. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** The types of the pages. Declarations only: the client does not compile with the options of the pages. */
export const API_TYPES = join(ROOT, 'web/common/api-client.d.ts');

/** The package with generators that need TypeScript 5, which it has in its own `node_modules`. */
export const TYPESCRIPT_EXAMPLE = join(ROOT, 'examples/typescript');

/** Runs a program of `node_modules`, by default that of the project. @throws Error with its output */
export async function runBin(
  name: string,
  parameters: readonly string[],
  { project = ROOT, cwd = ROOT } = {},
): Promise<void> {
  await run(join(project, 'node_modules/.bin', name), parameters, { cwd }).catch(({ stdout, stderr }) => {
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

/** Writes the types of openapi-typescript to a file. */
export function generateOpenApiTypes(path: string): Promise<void> {
  const parameters = [join(ROOT, 'openapi.json'), '--output', path];
  return runBin('openapi-typescript', parameters, { project: TYPESCRIPT_EXAMPLE });
}

/** Writes the client of hey-api to `client` in a directory, whose tsconfig.json decides how its modules are imported. */
export function generateHeyApiClient(directory: string): Promise<void> {
  const parameters = ['--input', join(ROOT, 'openapi.json'), '--output', 'client', '--no-log-file'];
  return runBin('openapi-ts', parameters, { project: TYPESCRIPT_EXAMPLE, cwd: directory });
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
