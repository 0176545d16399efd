/** The client that is generated from openapi.json compiles and works. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateClient, makeClientDirectory, runBin } from '../support/description/generate-client.ts';
import { newUserData, startService } from '../support/service.ts';

/** Uses the generated types: compiles only if they match the service. */
const PROGRAM = `
import * as api from './api-client.ts';

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

/** Returns the path of the compiled program. */
async function compileProgram(directory: string): Promise<string> {
  const client = await generateClient(directory);
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
      files: [client, 'program.ts'],
    }),
  );
  await runBin('tsc', ['--project', directory]);
  return join(directory, 'built/program.js');
}

test('a client generated from openapi.json compiles in strict mode, registers, reads the user and logs out', async (context) => {
  const directory = makeClientDirectory();
  context.after(() => rmSync(directory, { recursive: true }));
  const { service, stop } = await startService('sqlite');
  context.after(stop);
  const { run: runProgram } = await import(await compileProgram(directory));
  const user = newUserData();
  assert.deepEqual(await runProgram(service.url, user), {
    email: user.email,
    loggedOut: 200,
    after: 401,
    code: 'unauthorized',
    taken: 'email_taken',
  });
});
