/** Tries operations out in the API reference. */
import type { Locator, Page, Request } from 'playwright-core';

/** Opens the form of an operation. */
export async function openForm(page: Page, id: string): Promise<Locator> {
  await page.locator(`#${id} .try > summary`).click();
  const form = page.locator(`#${id} .try form`);
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

export async function getCurl(page: Page, id: string): Promise<string> {
  // Also out of view, where an operation is not laid out.
  return (await page.locator(`#${id} pre[aria-label=curl]`).textContent()) ?? '';
}

export type Sender = 'Anonymous' | 'Token' | 'Session';

/** Returns the choice of the credential. A search in the whole page, with all operations, takes long. */
export function senderChoice(page: Page): Locator {
  return page.locator('#sender');
}

export async function chooseSender(page: Page, sender: Sender, token = ''): Promise<void> {
  const choice = senderChoice(page);
  await choice.getByRole('radio', { name: new RegExp(`^${sender}`) }).check();
  if (sender === 'Token') await choice.getByLabel('Token', { exact: true }).fill(token);
  if (sender === 'Session') await choice.getByText('You are signed in as').waitFor();
}
