/** Clients that run in a browser: bundled into a page, which headless Chromium opens. */
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { openBrowser } from '../support/browser/browser.ts';
import { PERSON } from './service.ts';
import { checkClaims, type Running } from './try-client.ts';

const MAX_MS = 20_000;

export async function signInByPage({ client, directory, environment, base, issuer }: Running): Promise<void> {
  const names = ['ISSUER', 'CLIENT_ID', 'BASE', 'REDIRECT_URI', 'SETTINGS'] as const;
  const define = Object.fromEntries(names.map((name) => [name, JSON.stringify(environment[name])]));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { run } from './page.mjs'; import * as client from './${client.program![0]}'; run(client);`,
      resolveDir: directory,
    },
    ...{ bundle: true, write: false, format: 'iife', platform: 'browser', logLevel: 'silent' },
    define: { ...define, global: 'globalThis' },
  });
  const html = `<!doctype html><title>Client</title><body><script>${outputFiles![0]!.text.replaceAll('</script', '<\\/script')}</script>`;
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  );
  await new Promise<void>((resolve) => server.listen(Number(environment.PORT), resolve));
  const browser = await openBrowser();
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.setDefaultTimeout(MAX_MS);
    await page.goto(`${base}/login`);
    const failed = page.locator('#failed, main:has-text("cannot be continued")');
    const shown = async (selector: string) => {
      await page.locator(selector).or(failed).first().waitFor();
      if (await failed.count())
        throw new Error(`${(await failed.first().textContent())!.trim()} ${problems.join(' ')}`);
    };
    await shown('input[name=current_password]');
    await page.fill('input[name=email]', PERSON.email);
    await page.fill('input[name=current_password]', PERSON.password);
    await page.click('form:has(input[name=current_password]) button.primary');
    await shown('#claims');
    checkClaims((await page.textContent('#claims'))!, issuer.userId);
    await page.goto(`${base}/logout`);
    await shown('#signed-out');
    await page.goto(`${issuer.issuer}/account`);
    if (new URL(page.url()).pathname === '/account')
      throw new Error('the person is still signed in after signing out');
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
}
