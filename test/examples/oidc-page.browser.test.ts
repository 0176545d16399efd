/** examples/oidc-page in a browser, on another origin than the service. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createPageServer } from '../../examples/oidc-page/serve.ts';
import { createApplication, signIn } from '../support/applications.ts';
import { openBrowser } from '../support/browser/browser.ts';
import { openService } from '../support/service.ts';

test('examples/oidc-page signs a person in without a backend, from another origin', async (context) => {
  const service = await openService(context, 'sqlite');
  const { id } = await createApplication(service, { kind: 'public', redirect_uris: ['http://127.0.0.1/'] });
  const server = createPageServer({ clientId: id, issuer: service.api.url });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  const { user, headers } = await signIn(service);
  const browser = await (await openBrowser()).newContext();
  context.after(() => browser.close());
  const [name, value] = headers.cookie.split('=') as [string, string];
  await browser.addCookies([{ name, value, url: service.api.url }]);
  const page = await browser.newPage();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await page.goto(url);
  await page.locator('#sign-in').click();
  await page.locator('#person', { hasText: user.name! }).waitFor();
  await page.waitForURL(url);
});
