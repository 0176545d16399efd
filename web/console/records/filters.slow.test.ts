import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useConsole } from '../../../test/support/browser/console.ts';
import { createRecord } from '../../../test/support/browser/records.ts';
import { useService } from '../../../test/support/service.ts';

const PHONE = { width: 390, height: 844 };

/** Returns the left edge and the width of each filter, and of the bar. */
async function measureFilters(page: Page): Promise<{ readonly bar: Box; readonly filters: readonly Box[] }> {
  await page.locator('.filters').waitFor();
  return page.locator('.filters').evaluate((bar) => {
    const measure = (element: Element) => {
      const { left, width } = element.getBoundingClientRect();
      return { left: Math.round(left), width: Math.round(width) };
    };
    return { bar: measure(bar), filters: [...bar.children].map(measure) };
  });
}

interface Box {
  readonly left: number;
  readonly width: number;
}

describe('filters of lists', () => {
  const service = useService('sqlite', { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
  const visit = useConsole(service);

  test('filters stand in two columns of the same width, the search and a last one alone across both', async (t) => {
    const { page } = await visit(t, '/console', { viewport: PHONE });
    const body = { url: 'https://127.0.0.1:8443/', types: ['user.created'] };
    const { id } = await createRecord(service, '/api/v1/webhooks', body);
    const paths = ['/console/users', '/console/events', '/console/mail', `/console/webhooks/${id}`];
    for (const path of paths) {
      await page.goto(path);
      const { bar, filters } = await measureFilters(page);
      // A search and one filter are alone in their lines.
      const column = filters.find(({ width }) => width < bar.width)?.width ?? bar.width / 2;
      assert.ok(column * 2 <= bar.width && column * 2 > bar.width - 16, path);
      let half = 0;
      for (const { left, width } of filters) {
        const isWhole = width === bar.width;
        assert.ok(isWhole || Math.abs(width - column) <= 1, `${path}: ${width} pixels`);
        assert.equal(left === bar.left, isWhole || half % 2 === 0, `${path}: at ${left}`);
        if (!isWhole) half++;
      }
      assert.equal(half % 2, 0, path);
    }
  });

  test('a menu of filters closes on a choice, on Enter, on Escape and on a press elsewhere', async (t) => {
    const { page } = await visit(t, '/console/users');
    const menu = page.locator('details:has(> summary:text("Created"))');
    const closes = async (act: () => Promise<void>) => {
      await menu.locator('summary').click();
      await menu.getByLabel('From').waitFor();
      await act();
      await menu.getByLabel('From').waitFor({ state: 'hidden' });
    };
    await closes(() => menu.getByRole('button', { name: 'Last 7 days' }).click());
    await page.waitForURL(/created_from=/);
    assert.ok(await menu.locator('summary').evaluate((summary) => summary === document.activeElement));
    await closes(async () => {
      await menu.getByLabel('From').fill('2026-09-20');
      await page.keyboard.press('Enter');
    });
    await page.waitForURL(/created_from=2026-09-(19|20)T/);
    await closes(() => page.keyboard.press('Escape'));
    await closes(() => page.getByRole('heading', { level: 1 }).click());
  });

  test('days of a filter are beside each other, and one link clears all filters', async (t) => {
    const query = 'state=active&created_from=2026-09-20&created_to=2026-11-20';
    const { page } = await visit(t, `/console/users?${query}`, { viewport: PHONE });
    await page.locator('summary').filter({ hasText: 'Created' }).click();
    const button = (await page.locator('summary').filter({ hasText: 'Created' }).boundingBox())!;
    const menu = (await page.locator('details[open] > .menu').boundingBox())!;
    assert.ok(menu.y - button.y - button.height < 8, 'a menu is below its button');
    const [from, until] = [page.getByLabel('From').first(), page.getByLabel('Until').first()];
    const [one, other] = [(await from.boundingBox())!, (await until.boundingBox())!];
    assert.equal(one.y, other.y);
    assert.ok(one.x + one.width < other.x && other.x + other.width < PHONE.width);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Clear', exact: true }).click();
    await page.waitForURL('**/console/users');
  });
});
