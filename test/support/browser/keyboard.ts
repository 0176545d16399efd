/** Moves through a page by keyboard, as a person without a mouse does. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Waits until an element is visible, then presses Tab until it has the focus. @param times the most presses */
export async function tabTo(page: Page, selector: string, times = 60): Promise<void> {
  await page.locator(selector).first().waitFor();
  for (let presses = 0; presses < times; presses++) {
    if ((await page.locator(`${selector}:focus-visible`).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

/** Waits until an element has the focus: pages move it after they have rendered. */
export async function waitForFocus(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector}:focus`).waitFor();
}

/** Waits until the element with exactly this text has the focus. */
export async function waitForFocusedText(page: Page, text: string): Promise<void> {
  await page.waitForFunction((expected) => document.activeElement?.textContent === expected, text);
}
