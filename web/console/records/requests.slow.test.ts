import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createApplication } from '../../../test/support/applications.ts';
import { useConsole } from '../../../test/support/browser/console.ts';
import { createRecord } from '../../../test/support/browser/records.ts';
import { press, waitForAlert, waitForEmptyList } from '../../../test/support/browser/steps.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { type TestService, useService } from '../../../test/support/service.ts';

interface Repeated {
  /** Returns the path of the page. */
  readonly prepare: (service: TestService) => Promise<string> | string;
  /** Brings the button of the request into view. */
  readonly open?: (page: Page) => Promise<void>;
  readonly button: string | RegExp;
  /** Pattern of the URL that the button requests. */
  readonly path: string;
}

const REPEATED: Readonly<Record<string, Repeated>> = {
  'a user is created': {
    prepare: () => '/console/users',
    async open(page) {
      await waitForEmptyList(page, 'No users yet');
      await press(page, 'Create user');
      await page.getByRole('textbox', { name: 'Name' }).fill('Alan Turing');
      await page.getByRole('textbox', { name: 'Email' }).fill('alan@example.com');
    },
    button: 'Create user',
    path: '**/api/v1/users',
  },
  'the secret of an application is rotated': {
    prepare: async (service) => `/console/applications/${(await createApplication(service)).id}`,
    open: (page) => press(page, 'Rotate secret…'),
    button: 'Rotate secret',
    path: '**/rotate-secret',
  },
  'a credential is rotated': {
    async prepare(service) {
      await createCredential(service, ['users:read'], { name: 'Backup' });
      return '/console/credentials';
    },
    open: (page) => press(page, 'Rotate Backup'),
    button: 'Rotate Backup',
    path: '**/rotate',
  },
  'a test of a webhook is sent': {
    async prepare(service) {
      const body = { url: 'https://127.0.0.1:8443/', types: ['user.created'] };
      return `/console/webhooks/${(await createRecord(service, '/api/v1/webhooks', body)).id}`;
    },
    button: 'Send test',
    path: '**/test',
  },
};

describe('requests of the console whose response is lost', () => {
  const service = useService('sqlite', { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
  const visit = useConsole(service);

  for (const [what, { prepare, open, button, path }] of Object.entries(REPEATED))
    test(`once ${what} when the response is lost and the person tries again`, async (t) => {
      const { page } = await visit(t, await prepare(service));
      await open?.(page);
      const keys: (string | undefined)[] = [];
      await page.route(path, async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        const response = await route.fetch();
        await (keys.length === 1 ? route.abort() : route.fulfill({ response }));
      });
      const submit = page
        .locator('dialog, .page-head')
        .getByRole('button', { name: button, exact: true })
        .last();
      await submit.click();
      await waitForAlert(page, 'The service did not respond');
      const [repeated] = await Promise.all([page.waitForResponse(path), submit.click()]);
      assert.equal(repeated.headers()['idempotent-replayed'], 'true');
      assert.ok(keys[0] !== undefined && keys[0] === keys[1], String(keys));
    });

  test('once more, an action has another key after the service has responded', async (t) => {
    const { page } = await visit(t, await REPEATED['a test of a webhook is sent']!.prepare(service));
    const keys = new Set<string | undefined>();
    for (let count = 0; count < 2; count++) {
      const [request] = await Promise.all([page.waitForRequest('**/test'), press(page, 'Send test')]);
      keys.add(request.headers()['idempotency-key']);
      await request.response();
      await page.locator('button[aria-busy=false]', { hasText: 'Send test' }).waitFor();
    }
    assert.equal(keys.size, 2);
  });
});
