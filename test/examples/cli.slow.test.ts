/** examples/cli as a program, with the interval of the service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createApplication, signIn } from '../support/applications.ts';
import { createSignedInBrowser } from '../support/devices.ts';
import { openService } from '../support/service.ts';

const PROGRAM = join(import.meta.dirname, '../../examples/cli/desk.ts');

test('examples/cli signs in with the default settings of openid-client, shows the person, and signs out', async (context) => {
  const service = await openService(context, 'sqlite');
  const { id: CLIENT_ID } = await createApplication(service, { kind: 'public', device: true });
  const person = await signIn(service);
  const browser = createSignedInBrowser(service, person);
  const DESK_FILE = join(service.testDatabase.directory, 'tokens.json');
  const env = { ...process.env, ISSUER: service.api.url, CLIENT_ID, DESK_FILE };
  const run = async (command: string) => {
    const program = spawn(process.execPath, [PROGRAM, command], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    context.after(() => program.kill());
    const lines: string[] = [];
    for await (const line of createInterface({ input: program.stdout })) {
      lines.push(line);
      const [user_code] = /[A-Z]{4}-[A-Z]{4}$/.exec(line) ?? [];
      if (user_code !== undefined) await browser.submit('/device/allow', { user_code });
    }
    return lines.at(-1);
  };
  assert.equal(await run('login'), 'You are signed in.');
  assert.equal(await run('whoami'), person.user.email);
  assert.equal(await run('logout'), 'You are signed out.');
});
