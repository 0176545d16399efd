/**
 * Writes the pictures of README and docs/console.md: `npm run screenshots`. They show a service with invented users,
 * at an invented time, in light and dark colours.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { recordActiveUsers } from '../src/features/activity/active-users/active-users.ts';
import { recomputeStatistics } from '../src/features/activity/dashboard/recompute-statistics.ts';
import { normalizeEmail } from '../src/lib/text/email-address.ts';
import { DAY, dayNumber, HOUR, MINUTE } from '../src/lib/time/clock.ts';
import { openBrowser } from './support/browser/browser.ts';
import { signInBrowser } from './support/browser/console.ts';
import { ADMIN_TOKEN, startService, type TestService } from './support/service.ts';
import { insertTestToken, insertTestUser } from './support/users.ts';

const DIRECTORY = join(import.meta.dirname, '..', 'docs', 'images');
const NOW = Date.parse('2026-11-20T14:25:00Z');
const WIDE_VIEWPORT = { width: 1440, height: 768 };
const VIEWPORT = { width: 1280, height: 800 };
/** Names of several scripts, each with the first part of the email. */
const NAMES = [
  ['Ada Lovelace', 'ada.lovelace'],
  ['Zeynep Yıldız', 'zeynep'],
  ['Øyvind Sæther', 'oyvind'],
  ['Ελένη Παπαδοπούλου', 'eleni'],
  ['ليلى حدّاد', 'layla'],
  ['Amélie Miller-Großmann', 'amelie'],
  ['Богдан Іваненко', 'bogdan'],
  ['Nguyễn Thị Minh Khai', 'minhkhai'],
  ['נועה לוי', 'noa.levi'],
  ['Þórdís Jónsdóttir', 'thordis'],
  ['Grace Hopper', 'grace.hopper'],
  ['Thandiwe Mokoena', 'thandiwe'],
] as const;

interface Shown {
  readonly browser: Browser;
  readonly service: TestService;
  readonly userId: string;
}

async function main(): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true });
  const service = await startService('sqlite', { clock: () => NOW });
  const [first, second] = await fill(service);
  const browser = await openBrowser();
  await shoot({ browser, service, userId: first! }, 'light');
  await shoot({ browser, service, userId: second! }, 'dark');
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
  for (const [name, open] of Object.entries(VIEWS)) {
    await open(page, shown);
    await page.screenshot({ path: join(DIRECTORY, `${name}-${colorScheme}.png`) });
  }
  await context.close();
}

/** Opens each view. The conflict needs the id of a user. */
const VIEWS = {
  async overview(page: Page) {
    await page.goto('/console');
    await page.getByText('Database').waitFor();
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
  async conflict(page: Page, { service, userId }: Shown) {
    const path = `/api/v1/users/${userId}`;
    await page.goto(`/console/users/${userId}`);
    const { headers, body } = await service.api.get(path, { token: ADMIN_TOKEN });
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
    await page.locator('#listUsers').getByText('Try it out').click();
  },
};

/** More users on later days. */
function toCreatedAt(index: number): number {
  return NOW - Math.floor(60 * DAY * (index / 240) ** 1.6) - ((index * 37) % 600) * MINUTE;
}

/** Creates users of the last 60 days with activity, tokens and events. Returns the ids of the latest ones. */
async function fill({ service: { database }, api }: TestService): Promise<string[]> {
  const created: string[] = [];
  // The oldest first, because the list has the order of creation.
  for (let index = 239; index >= 0; index--) {
    const createdAt = toCreatedAt(index);
    const [name, local] = NAMES[index % 12]!;
    const email = `${local}${index < 12 ? '' : index}@example.com`;
    const state = index % 29 === 5 ? 'disabled' : 'active';
    const level = index % 7 === 0 ? 'gold' : null;
    const user = { name, email, emailKey: normalizeEmail(email), createdAt, state, level } as const;
    created.unshift((await insertTestUser(database, user)).id);
  }
  await database.transaction(async (tx) => {
    for (let day = 0; day < 60; day++) {
      const share = [0, 6].includes(new Date(NOW - day * DAY).getUTCDay()) ? 16 : 34 - (day % 5);
      const active = created.filter(
        (_, index) => toCreatedAt(index) <= NOW - day * DAY && (index * 31 + day * 17) % 100 < share,
      );
      await recordActiveUsers(tx, dayNumber(NOW) - day, active);
    }
  });
  for (const id of created.slice(0, 90))
    await insertTestToken(database, id, { createdAt: NOW - 10 * DAY, expiresAt: NOW + 20 * DAY + HOUR });
  await recomputeStatistics(database, () => NOW);
  for (const id of created.slice(1, 5))
    await api.delete(`/api/v1/users/${id}/tokens`, { token: ADMIN_TOKEN });
  return created;
}

await main();
