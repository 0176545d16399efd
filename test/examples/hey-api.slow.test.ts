/** The client that hey-api generates from openapi.json compiles with the strictest options, and works. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { generateHeyApiClient, makeClientDirectory, runBin } from '../support/description/generate-client.ts';
import { newUserData, startService } from '../support/service.ts';

const PROGRAM = `
import { createClient } from './built/client/index.js';
import { type ErrorCode, getCurrentUser, logout, register, type RegisterRequest } from './built/index.js';

export async function run(baseUrl: string, body: RegisterRequest) {
  const client = createClient({ baseUrl });
  const registered = await register({ client, body });
  if (registered.error) return registered.error.code satisfies ErrorCode;
  const auth: string = registered.data.access_token;
  const before = await getCurrentUser({ client, auth });
  const email: string | null | undefined = before.data?.data.email;
  await logout({ client, auth });
  const after = await getCurrentUser({ client, auth });
  const code: ErrorCode | undefined = after.error?.code;
  return { email, code };
}
`;

const OPTIONS = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
};

test('the client that hey-api generates from openapi.json compiles in strict mode, registers, reads the user and logs out', async (context) => {
  const directory = makeClientDirectory();
  context.after(() => rmSync(directory, { recursive: true }));
  const write = (name: string, content: object) =>
    writeFileSync(join(directory, name), JSON.stringify(content));
  write('package.json', { type: 'module' });
  // Its runtime does not compile with exactOptionalPropertyTypes: it is a project of its own, as a package would be.
  write('tsconfig.json', {
    compilerOptions: { ...OPTIONS, declaration: true, rootDir: 'client', outDir: 'built' },
    include: ['client'],
  });
  write('tsconfig.program.json', {
    compilerOptions: { ...OPTIONS, exactOptionalPropertyTypes: true },
    files: ['program.ts'],
  });
  writeFileSync(join(directory, 'program.ts'), PROGRAM);
  const { service, stop } = await startService('sqlite');
  context.after(stop);
  await generateHeyApiClient(directory);
  await runBin('tsc', ['--project', directory]);
  await runBin('tsc', ['--project', join(directory, 'tsconfig.program.json')]);

  const { run } = await import(pathToFileURL(join(directory, 'program.js')).href);
  const user = newUserData();
  assert.deepEqual(await run(service.url, user), { email: user.email, code: 'unauthorized' });
  assert.equal(await run(service.url, user), 'email_taken');
});
