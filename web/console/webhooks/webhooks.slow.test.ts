import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { createRecord, readData } from '../../../test/support/browser/records.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { type Receiver, respondWith, startReceiver } from '../../../test/support/receiver.ts';
import { useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { createUnclaimedUser } from '../../../test/support/users.ts';

const LIST = '/console/webhooks';
const PATH = '/api/v1/webhooks';
const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
/** Without `Retry-After`, the next attempt follows after seconds, which the test may take. */
const UNAVAILABLE = respondWith(
  'HTTP/1.1 503 No\r\nConnection: close\r\nRetry-After: 3600\r\nContent-Length: 16\r\n\r\nDown for an hour',
);
const choose = async (page: Page, name: string) => {
  await page.locator('summary', { hasText: 'More' }).click();
  await page.getByRole('button', { name }).click();
};

describe('webhooks in the console', () => {
  const service = useService('sqlite', { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
  const visit = useConsole(service);
  let receiver: Receiver;
  let isDown = false;
  before(async () => {
    receiver = await startReceiver((socket, request) => (isDown ? UNAVAILABLE : NO_CONTENT)(socket, request));
  });
  after(() => receiver.close());

  const create = (name: string) =>
    createRecord(service, PATH, { url: `${receiver.url}/${name}`, types: ['user.created'] });
  const read = (id: string) => readData(service, `${PATH}/${id}`);
  const list = (id: string) => readData(service, `${PATH}/${id}/deliveries`);

  test('the page of a webhook edits it, disables it and enables it again with Undo', async (t) => {
    const { id, url } = await create('edited');
    const { page } = await visit(t, `${LIST}/${id}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByLabel('Description').fill('CRM');
    await page.getByRole('checkbox', { name: 'User erased' }).check();
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await waitForStatus(page, 'The webhook was changed.');
    const { description, types } = await read(id);
    assert.deepEqual([description, types.toSorted()], ['CRM', ['user.created', 'user.erased']]);
    await choose(page, 'Disable');
    await waitForStatus(page, 'The webhook was disabled.');
    await page.locator('.page-head').getByText('Disabled').waitFor();
    assert.equal((await read(id)).enabled, false);
    assert.ok(await page.getByRole('button', { name: 'Send test' }).isDisabled());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.page-head').getByText('Enabled').waitFor();
    assert.equal((await read(id)).enabled, true);
    assert.equal((await read(id)).url, url);
  });

  test('the page of a webhook rotates the secret after a question, and shows the new one once', async (t) => {
    const { id, secret, url } = await create('rotated');
    const { page } = await visit(t, `${LIST}/${id}`);
    await choose(page, 'Rotate secret…');
    const dialog = page.getByRole('dialog', { name: `Rotate the secret of ${url}?` });
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const shown = page.getByRole('group', { name: 'Secret' });
    await shown.waitFor();
    assert.notEqual(await shown.innerText(), secret);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('also signs until').waitFor();
    assert.equal(await page.getByText('whsec_').count(), 0);
  });

  test('the page of a webhook shows why deliveries fail, filters them by state, and retries one', async (t) => {
    const { id } = await create('failing');
    isDown = true;
    await createUnclaimedUser(service);
    await until(async () => (await list(id))[0]?.attempts.length === 1, 'an attempt has failed');
    isDown = false;
    const { page } = await visit(t, `${LIST}/${id}?state=delivered`);
    await page.getByText('No delivery is in this state.').waitFor();
    await page.getByLabel('State').selectOption('Pending');
    await page.waitForURL('**?state=pending');
    await page.locator('.page-head .badge').getByText('Failing').waitFor();
    await page.getByRole('button', { name: 'user.created' }).click();
    await page.getByText('Attempt 1: 503').waitFor();
    await page.getByText(/after \d+ ms/).waitFor();
    await page.getByText('Down for an hour').first().waitFor();
    await page.getByText('Next attempt:').waitFor();
    await page.getByRole('button', { name: 'Retry now' }).click();
    await waitForStatus(page, 'The delivery is attempted again.');
    await until(async () => (await list(id))[0].state === 'delivered', 'the retry is delivered');
  });

  test('the page of a webhook replays the events of a span or since a time, and asks for a missing time', async (t) => {
    const user = await createUnclaimedUser(service);
    const events = `/api/v1/events?subject=user:${user.id}`;
    const isNumbered = async () => (await readData(service, events)).length === 1;
    await until(isNumbered, 'the event has a number before those that the webhook receives');
    const { id } = await create('replayed');
    const { page } = await visit(t, `${LIST}/${id}`);
    await choose(page, 'Replay events…');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replay events' }).click();
    await dialog.getByText('Enter the day and the time').waitFor();
    await waitForFocus(page, '[name=since]');
    await checkView(page);
    await dialog.getByLabel('Since').fill('2020-01-31T10:00');
    await dialog.getByLabel('Until').fill('2020-01-31T09:00');
    await dialog.getByRole('button', { name: 'Replay events' }).click();
    await dialog.getByText('The to field must be later than from.').waitFor();
    await waitForFocus(page, '[name=to]');
    await dialog.getByLabel('Until').fill('2020-02-29T10:00');
    await dialog.getByRole('button', { name: 'Replay events' }).click();
    await waitForStatus(page, '0 events will be delivered again.');
    assert.deepEqual(await list(id), []);
    await choose(page, 'Replay events…');
    await dialog.getByLabel('Since').fill('2020-01-31T10:00');
    await dialog.getByRole('button', { name: 'Replay events' }).click();
    await waitForStatus(page, 'will be delivered again.');
    await until(async () => (await list(id)).length > 0, 'events are replayed');
  });

  test('the page of a webhook deletes it after a dialog with its URL and the number of deliveries that are lost', async (t) => {
    const { id, url } = await create('deleted');
    const { page } = await visit(t, `${LIST}/${id}`);
    await choose(page, 'Delete…');
    const dialog = page.getByRole('dialog', { name: 'Delete this webhook?' });
    await dialog.getByText(url, { exact: true }).waitFor();
    await dialog.getByText('its secret').waitFor();
    await waitForFocus(page, 'dialog .secondary');
    await page.keyboard.press('Enter');
    isDown = true;
    for (let count = 0; count < 2; count++) await createUnclaimedUser(service);
    await until(async () => (await list(id)).length === 2, 'two deliveries are pending');
    await choose(page, 'Delete…');
    await dialog.getByText('2 pending deliveries').waitFor();
    await checkView(page);
    await dialog.getByRole('button', { name: 'Delete webhook' }).click();
    isDown = false;
    await waitForStatus(page, `${url} was deleted.`);
    assert.equal(await read(id), undefined);
  });
});
