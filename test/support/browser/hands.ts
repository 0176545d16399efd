/** Interactions of a person with a page, counted. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Counts what a person does: a click, a key, or the filling of a field with its Enter. */
export function createHands(page: Page) {
  let count = 0;
  const counted = <T>(work: Promise<T>) => {
    count++;
    return work;
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  return {
    press: (name: string | RegExp) => counted(button(name).click()),
    /** Opens a choice above a list. */
    unfold: (name: string) => counted(page.locator('summary', { hasText: name }).click()),
    /** Presses the button in the dialog. */
    confirm: (name: string | RegExp) =>
      counted(page.getByRole('dialog').getByRole('button', { name }).click()),
    follow: (name: string | RegExp) => counted(page.getByRole('link', { name }).first().click()),
    fill: (label: string | RegExp, text: string) =>
      counted(
        page.getByLabel(label).and(page.locator('input:not([type=checkbox]):visible')).last().fill(text),
      ),
    choose: (label: string, option: string) => counted(page.getByLabel(label).first().selectOption(option)),
    key: (name: string) => counted(page.keyboard.press(name)),
    type: (text: string) => counted(page.keyboard.type(text)),
    /** @param most interactions since the last call */
    check(most: number) {
      assert.ok(count <= most, `${count} interactions instead of ${most}`);
      count = 0;
    },
  };
}
