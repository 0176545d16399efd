/**
 * Writes the pictures of README and of the documents: `npm run screenshots`, or into another directory with its path.
 * They show a service with invented users, at an invented time, in light and dark colours.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './support/browser/browser.ts';
import { signInBrowser } from './support/browser/console.ts';
import { NOW, startPictureService } from './support/browser/picture-service.ts';
import { ADMIN_TOKEN, admin, type TestService } from './support/service.ts';

const DIRECTORY = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'images');
const WIDE_VIEWPORT = { width: 1440, height: 768 };
const VIEWPORT = { width: 1280, height: 800 };
interface Shown {
  readonly browser: Browser;
  readonly service: TestService;
  readonly userId: string;
  readonly webhookId: string;
}

async function main(): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true });
  const { service, webhookId, userIds } = await startPictureService();
  const [first, second] = userIds;
  const browser = await openBrowser();
  await shoot({ browser, service, webhookId, userId: first! }, 'light');
  await shoot({ browser, service, webhookId, userId: second! }, 'dark');
  await browser.close();
  await service.stop();
}

async function shoot(shown: Shown, colorScheme: 'light' | 'dark'): Promise<void> {
  const { browser, service } = shown;
  const { url: baseURL } = service.service;
  const context = await browser.newContext({
    baseURL,
    viewport: VIEWPORT,
    colorScheme,
    // No picture of the middle of a transition.
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  await signInBrowser(context, service);
  // The pages tell how long ago something was.
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  for (const [name, open] of Object.entries(VIEWS)) {
    await open(page, shown);
    const picture = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
    writeFileSync(join(DIRECTORY, `${name}-${colorScheme}.webp`), picture.data, 'base64');
  }
  await context.close();
}

/** Opens each view. */
const VIEWS = {
  async overview(page: Page) {
    await page.goto('/console');
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByText('Running since').waitFor();
    await page
      .locator('.chart svg')
      .first()
      .hover({ position: { x: 230, y: 80 } });
  },
  async users(page: Page) {
    await page.goto('/console/users');
    await page.getByRole('row').nth(5).waitFor();
    for (const row of [1, 3, 4]) await page.getByRole('row').nth(row).getByRole('checkbox').check();
  },
  async events(page: Page) {
    await page.goto('/console/events?to=2026-11-20T14:20:00.000Z');
    await page.getByRole('button', { name: 'Sign-in failed: wrong password' }).first().click();
    await page.getByText('The password was wrong.').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  async webhook(page: Page, { webhookId }: Shown) {
    await page.goto(`/console/webhooks/${webhookId}`);
    await page.getByRole('button', { name: 'user.updated' }).first().click();
    await page.getByText('Attempt 1: 503').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  async conflict(page: Page, { service, userId }: Shown) {
    const path = `/api/v1/users/${userId}`;
    await page.goto(`/console/users/${userId}`);
    const { headers, body } = await service.api.get(path, admin);
    const { name } = body.data;
    await page.getByLabel('Name').fill(`Dr ${name}`);
    await page.getByLabel('Level').fill('platinum');
    const changed = { name: `Prof. ${name}`, level: 'silver' };
    const ifMatch = { 'if-match': headers.get('etag')! };
    await service.api.patch(path, changed, { token: ADMIN_TOKEN, headers: ifMatch });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this user').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  async reference(page: Page) {
    await page.setViewportSize(WIDE_VIEWPORT);
    await page.goto('/docs#listUsers');
    await page.locator('#listUsers').getByText('Try it', { exact: true }).click();
  },
};

await main();
