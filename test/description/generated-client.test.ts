/** A client generated from openapi.json compiles and works. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newUserData, startService } from '../support/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Uses the generated types: compiles only if they match the service. */
const PROGRAM = `
import * as api from './client.ts';

export async function run(baseUrl: string, user: { name: string; email: string; password: string }) {
  api.defaults.baseUrl = baseUrl;
  const registered = await api.register(user, { idempotencyKey: 'key-of-the-program' });
  if (registered.status !== 201) throw new Error(registered.data.error);
  const token: string = registered.data.access_token;
  const options = { headers: { Authorization: 'Bearer ' + token } };
  const before = await api.getCurrentUser(options);
  const email: string | null = before.status === 200 ? before.data.data.email : null;
  const loggedOut = await api.logout({ scope: 'current' }, options);
  const after = await api.getCurrentUser(options);
  const code: api.ErrorCode | null = after.status === 401 ? after.data.code : null;
  const duplicate = await api.register(user);
  const taken: api.ErrorCode | null = duplicate.status === 409 ? duplicate.data.code : null;
  return { email, loggedOut: loggedOut.status, after: after.status, code, taken };
}
`;

const STRICT = ['strict', 'noUncheckedIndexedAccess', 'noUnusedLocals', 'verbatimModuleSyntax'];

/** Returns the path of the compiled program. The directory is inside the project, so that packages resolve. */
async function generateClient(directory: string): Promise<string> {
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
  await run(bin('oazapfts'), [join(ROOT, 'openapi.json'), join(directory, 'client.ts')]);
  writeFileSync(join(directory, 'program.ts'), PROGRAM);
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...Object.fromEntries(STRICT.map((name) => [name, true])),
        target: 'esnext',
        module: 'nodenext',
        lib: ['esnext', 'dom', 'dom.iterable'],
        types: [],
        rewriteRelativeImportExtensions: true,
        rootDir: '.',
        outDir: 'built',
      },
      files: ['client.ts', 'program.ts'],
    }),
  );
  await run(bin('tsc'), ['--project', directory]).catch(({ stdout }) => assert.fail(stdout));
  return join(directory, 'built/program.js');
}

test('a client generated from openapi.json compiles in strict mode, registers, reads the user and logs out', async (context) => {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'generated-client-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const { service, stop } = await startService('sqlite');
  context.after(stop);
  const { run: runProgram } = await import(await generateClient(directory));
  const user = newUserData();
  assert.deepEqual(await runProgram(service.url, user), {
    email: user.email,
    loggedOut: 200,
    after: 401,
    code: 'unauthorized',
    taken: 'email_taken',
  });
});
