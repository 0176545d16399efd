/** Steps that walks through pages share. */
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';

/** Waits for a message with this text, which screen readers announce. */
export const waitForStatus = (page: Page, hasText: string | RegExp) =>
  page.getByRole('status').filter({ hasText }).waitFor();

/** Waits for an error with this text. */
export const waitForAlert = (page: Page, hasText: string | RegExp) =>
  page.getByRole('alert').filter({ hasText }).waitFor();

/** Waits until a list is known to be empty. Its button then replaces that of the head. */
export const waitForEmptyList = (page: Page, title: string) =>
  page.getByRole('heading', { name: title }).waitFor();

/** Presses the button of the page with this name. */
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();

/** Presses the button of the dialog whose name contains this one. */
export const confirm = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name }).click();

/** Waits until the address has these parameters, and no others. */
export const waitForQuery = (page: Page, expected: Readonly<Record<string, string>>) =>
  page.waitForURL(({ searchParams }) => isDeepStrictEqual(Object.fromEntries(searchParams), expected));
