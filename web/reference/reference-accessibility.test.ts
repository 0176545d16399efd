import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations } from '../../test/support/accessibility.ts';
import { useReferencePage } from '../../test/support/reference-page.ts';

const visit = useReferencePage();

test('scrolls to the operation of a deep link on load and moves the focus there', async (t) => {
  const { page } = await visit(t, { path: '/docs#readUser' });
  await page.waitForFunction(() => document.activeElement?.id === 'readUser');
  const top = await page.locator('#readUser').evaluate((section) => section.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 200, `the operation starts ${top} px below the top of the window`);
});

test('moves the focus to an operation when its navigation link is followed', async (t) => {
  const { page } = await visit(t);
  await page.locator('nav a[href="#validateForm"]').press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'validateForm');
});

test('has headings without a skipped level and a name for every landmark', async (t) => {
  const { page } = await visit(t);
  const levels = await page
    .locator('h1, h2, h3, h4, h5, h6')
    .evaluateAll((all) => all.map((each) => Number(each.tagName[1])));
  levels.reduce((before, level) => {
    assert.ok(level <= before + 1, `a heading of level ${level} follows one of level ${before}`);
    return level;
  }, 0);
  for (const name of ['Documents', 'Operations']) {
    assert.equal(await page.getByRole('navigation', { name, exact: true }).count(), 1);
  }
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
});

test('fits a window 360 pixels wide without horizontal scrolling, with the menu closed', async (t) => {
  const { page } = await visit(t, { viewport: { width: 360, height: 740 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.equal(await page.locator('nav a[href="#register"]').isVisible(), false);
  assert.ok((await page.getByRole('cell').count()) > 10);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility violation that axe finds in the ${colorScheme} color scheme`, async (t) => {
    const { page } = await visit(t, { colorScheme });
    for (const response of await page.locator('details.response').all()) {
      await response.evaluate((details) => details.setAttribute('open', ''));
    }
    assert.deepEqual(await axeViolations(page), []);
  });
}

test('follows the light or dark color scheme of the system', async (t) => {
  const background = async (colorScheme: 'light' | 'dark') => {
    const { page } = await visit(t, { colorScheme });
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };
  assert.equal(await background('light'), 'rgb(253, 253, 252)');
  assert.equal(await background('dark'), 'rgb(21, 23, 26)');
});
