/** The commands of docs/start.md, one after the other, with the real service and a browser. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBrowser } from '../support/browser/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVICE_URL = 'http://localhost:3000';
const TOKEN_FILE = 'data/admin-token';

const document = readFileSync(join(ROOT, 'docs/start.md'), 'utf8');
const [install, register, createApplication, serve, ...others] = [
  ...document.matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, commands]) => commands!);

/** Runs commands in the directory of the project until the test has ended, and returns the first group of the output. */
function run(
  context: TestContext,
  { commands, pattern, ...env }: { commands: string; pattern: RegExp; [name: string]: unknown },
) {
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as NodeJS.ProcessEnv;
  const options = { cwd: ROOT, detached: true, env: environment } as const;
  const child = spawn('bash', ['-euc', commands], options);
  const ended = new Promise((resolve) => child.on('close', resolve));
  context.after(async () => {
    // With the programs that the commands have started.
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await ended;
  });
  return new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const found = pattern.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    ended.then(() => reject(new Error(output)));
  });
}

test('the commands of docs/start.md lead from nothing to a page that shows who has signed in', async (context) => {
  assert.deepEqual([install, others], ['npm ci && npm start\n', []]);
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-start-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const url = await run(context, {
    ...{ commands: 'npm start', pattern: / listens on (\S+) / },
    ...{ PORT: '0', DATA_DIR: directory, NODE_ENV: 'test' },
  });
  const commands = [register, createApplication, serve].join('');
  assert.ok(commands.includes(TOKEN_FILE) && commands.includes(SERVICE_URL));
  const page = await (await openBrowser()).newPage();
  context.after(() => page.close());
  await page.goto(
    await run(context, {
      commands: commands.replaceAll(SERVICE_URL, url).replace(TOKEN_FILE, join(directory, 'admin-token')),
      ...{ pattern: /^(http:\S+)$/m, ISSUER: url, PORT: '0' },
    }),
  );
  await page.getByRole('button', { name: 'Sign in' }).click();
  const { name, email, password } = JSON.parse(/-d '(\{"name".*?\})'/.exec(register!)![1]!);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=current_password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('#person', { hasText: name }).waitFor();
});
