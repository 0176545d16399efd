/** Latency and memory of the console with a million users, in a real browser. */
import type { CDPSession, Page } from 'playwright-core';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN } from '../load/requests.ts';
import type { Pace } from '../load/rounds.ts';
import { median } from '../load/statistics.ts';
import { populate } from '../processes/seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, withStage } from '../processes/stage.ts';

const USERS = 1_000_000;
const PAGES = 100;
const MAX_FIRST_ROWS_MS = 1_000;
const MAX_SEARCH_MS = 200;
const MAX_GROWTH = 1.1;
/** Part of the names of all users, so that each letter that is typed finds other users. */
const SEARCHED = 'person-00';

/** Measures the first rows after sign-in, the search while typing, and the memory over 100 pages. */
export async function measureConsole(pace: Pace): Promise<Finding[]> {
  // Imported here because it loads node:test, which prints a report when the process ends.
  const { openBrowser } = await import('../../test/support/browser/browser.ts');
  return withStage(async (stage) => {
    await populate(stage.directory, USERS);
    const { port } = await stage.server(SERVICE, createServiceEnvironment(stage.directory), ANY_CORE);
    const browser = await openBrowser();
    try {
      const firstRows: number[] = [];
      for (let round = 0; round < pace.starts; round++) {
        const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
        firstRows.push(await timeFirstRows(await context.newPage()));
        await context.close();
      }
      const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
      const page = await context.newPage();
      await timeFirstRows(page);
      const searches = await timeSearches(page);
      const growth = await measureMemoryGrowth(page, await context.newCDPSession(page));
      return [toFirstRowsFinding(firstRows), toSearchFinding(searches), growth];
    } finally {
      await browser.close();
    }
  });
}

const rows = (page: Page) => page.locator('tbody tr');

/** Measures the time from the key that sends the sign-in to the first row, in milliseconds. */
async function timeFirstRows(page: Page): Promise<number> {
  await page.goto('/console/users');
  await page.getByLabel('Administrator token').fill(ADMIN_TOKEN);
  const began = performance.now();
  await page.keyboard.press('Enter');
  await rows(page).first().waitFor();
  return performance.now() - began;
}

/** Measures the time from each key to the rows that it finds, in milliseconds. */
async function timeSearches(page: Page): Promise<number[]> {
  const times: number[] = [];
  await page.getByLabel('Search').focus();
  for (let length = 1; length <= SEARCHED.length; length++) {
    const text = SEARCHED.slice(0, length);
    const response = page.waitForResponse(
      (each) => each.url().endsWith(`search=${text}`) || each.url().includes(`search=${text}&`),
    );
    const began = performance.now();
    await page.keyboard.press(text.at(-1)!);
    await response;
    await page.locator('[aria-busy=false] tbody tr').first().waitFor();
    times.push(performance.now() - began);
  }
  return times;
}

async function measureMemoryGrowth(page: Page, session: CDPSession): Promise<Finding> {
  await page.goto('/console/users');
  await turnPages(page, 10);
  const before = await readHeapMegabytes(session);
  await turnPages(page, PAGES);
  const after = await readHeapMegabytes(session);
  return {
    bench: 'console',
    what: `memory of the list over ${PAGES} pages`,
    figures: { 'before MB': before, 'after MB': after, ratio: after / before },
    target: { figure: 'ratio', atMost: MAX_GROWTH },
  };
}

async function turnPages(page: Page, count: number): Promise<void> {
  for (let turned = 0; turned < count; turned++) {
    const first = await rows(page).first().innerText();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForFunction(
      (text) => (document.querySelector('tbody tr') as HTMLElement | null)?.innerText !== text,
      first,
    );
  }
}

async function readHeapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

function toFirstRowsFinding(times: readonly number[]): Finding {
  return {
    bench: 'console',
    what: 'first rows after sign-in',
    figures: { 'median ms': median(times), 'slowest ms': Math.max(...times), 'per round': times },
    target: { figure: 'slowest ms', atMost: MAX_FIRST_ROWS_MS },
  };
}

function toSearchFinding(times: readonly number[]): Finding {
  return {
    bench: 'console',
    what: 'rows after a key in the search',
    figures: { 'median ms': median(times), 'slowest ms': Math.max(...times), 'per key': times },
    target: { figure: 'median ms', atMost: MAX_SEARCH_MS },
  };
}
