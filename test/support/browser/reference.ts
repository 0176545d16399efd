/** Reads the API reference, and tries operations out. */
import type { Locator, Page, Request } from 'playwright-core';

/** Returns the visible text of the matching elements, with white space collapsed. */
export async function textAt(page: Page, selector: string | Locator): Promise<string> {
  const texts = await (typeof selector === 'string' ? page.locator(selector) : selector).allInnerTexts();
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the ids of the operations that are shown. */
export async function getShownOperations(page: Page): Promise<string[]> {
  const sections = page.locator('section.operation');
  await sections.first().waitFor();
  return sections.evaluateAll((all) => all.map(({ id }) => id));
}

/** Follows the link of the menu to an operation. */
export async function showOperation(page: Page, id: string): Promise<Locator> {
  await page.locator(`.operations a[href="#${id}"]`).evaluate((link: HTMLElement) => link.click());
  const section = page.locator(`#${id}`);
  await section.waitFor();
  return section;
}

/** Shows an operation, and opens its form unless it is open. */
export async function openForm(page: Page, id: string): Promise<Locator> {
  const section = await showOperation(page, id);
  const form = section.locator('.try form');
  if (!(await form.isVisible())) await section.locator('.try > summary').click();
  await form.waitFor();
  return form;
}

export function sendButton(page: Page, id: string): Locator {
  return page.locator(`#${id} .try form button[type=submit]`);
}

/**
 * Presses the button of an open form. Returns the request that it sends, once the page shows its response: the one
 * before stays until then, and a new one may scroll the page while the next button is pressed.
 */
export async function send(page: Page, id: string): Promise<Request> {
  const [request] = await Promise.all([page.waitForEvent('request'), sendButton(page, id).click()]);
  const requestId = (await request.response())!.headers()['x-request-id']!;
  await page.locator(`#${id} .received-response .request-id`, { hasText: requestId }).waitFor();
  return request;
}

/** Returns the example request of an operation that is shown. */
export async function getCurl(page: Page, id: string): Promise<string> {
  return (await page.locator(`#${id} pre[aria-label=curl]`).textContent()) ?? '';
}

export type Sender = 'Anonymous' | 'Token' | 'Session';

/** Returns the choice of the credential. */
export function senderChoice(page: Page): Locator {
  return page.locator('#sender');
}

export async function chooseSender(page: Page, sender: Sender, token = ''): Promise<void> {
  const choice = senderChoice(page);
  await choice.getByRole('radio', { name: new RegExp(`^${sender}`) }).check();
  if (sender === 'Token') await choice.getByLabel('Token', { exact: true }).fill(token);
  if (sender === 'Session') await choice.getByText('You are signed in as').waitFor();
}
