/** The client that openapi-typescript generates from openapi.json compiles with the strictest options, and works. */
import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  generateOpenApiTypes,
  makeClientDirectory,
  runBin,
  TYPESCRIPT_EXAMPLE,
} from '../support/description/generate-client.ts';
import { newUserData, startService } from '../support/service.ts';

test('examples/typescript compiles with types generated from openapi.json, and registers, reads the user and logs out', async (context) => {
  const directory = makeClientDirectory();
  context.after(() => rmSync(directory, { recursive: true }));
  for (const file of ['register.ts', 'tsconfig.json', 'package.json'])
    copyFileSync(join(TYPESCRIPT_EXAMPLE, file), join(directory, file));
  const { stop, service } = await startService('sqlite');
  context.after(stop);
  await generateOpenApiTypes(join(directory, 'schema.d.ts'));
  await runBin('tsc', ['--project', directory]);

  const { registerAndLogOut } = await import(pathToFileURL(join(TYPESCRIPT_EXAMPLE, 'register.ts')).href);
  const user = newUserData();
  assert.equal(await registerAndLogOut(service.url, user), user.email);
  await assert.rejects(registerAndLogOut(service.url, user), { code: 'email_taken' });
});
