/** Tasks of administrators with webhooks, each with the most interactions it may need. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EVENT_TYPE_NAMES } from '../../../src/features/events/event-types.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { tabTo } from '../../../test/support/browser/keyboard.ts';
import { createRecord, readData } from '../../../test/support/browser/records.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { type Receiver, respondWith, startReceiver } from '../../../test/support/receiver.ts';
import { useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { createUnclaimedUser } from '../../../test/support/users.ts';

const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
const UNAVAILABLE = respondWith(
  'HTTP/1.1 503 No\r\nConnection: close\r\nRetry-After: 120\r\nContent-Length: 22\r\n\r\nDown\nuntil we are back',
);

describe('tasks with webhooks in the console', () => {
  const service = useService('sqlite', { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
  const visit = useConsole(service);
  let receiver: Receiver;
  let isDown = true;
  before(async () => {
    receiver = await startReceiver((socket, request) => (isDown ? UNAVAILABLE : NO_CONTENT)(socket, request));
  });
  after(() => receiver.close());

  const list = (id: string): Promise<readonly { state: string; attempts: unknown[] }[]> =>
    readData(service, `/api/v1/webhooks/${id}/deliveries`);
  /** Returns a webhook with deliveries of which the first attempt has failed. */
  const createFailing = async (name: string, count: number) => {
    isDown = true;
    const settings = { url: `${receiver.url}/${name}`, types: ['user.created'] };
    const { id } = await createRecord(service, '/api/v1/webhooks', settings);
    for (let made = 0; made < count; made++) await createUnclaimedUser(service);
    const areTried = async () => (await list(id)).filter(({ attempts }) => attempts.length > 0);
    await until(async () => (await areTried()).length === count, 'all have failed');
    return id as string;
  };

  test('body, headers and response of a failed delivery are read with one press of a key or the pointer', async (t) => {
    const id = await createFailing('read', 1);
    const { page } = await visit(t, `/console/webhooks/${id}`);
    await tabTo(page, '.fold-button');
    await page.keyboard.press('Enter');
    const body = await page.getByRole('group', { name: 'Body' }).innerText();
    const sent = receiver.requests.find(({ start }) => start.includes('/read '))!;
    assert.deepEqual(JSON.parse(body), JSON.parse(sent.body));
    const headers = (await page.getByRole('group', { name: 'Headers' }).innerText()).split('\n');
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      assert.ok(headers.includes(`${name}: ${sent.headers[name]}`), name);
    const response = await page.getByRole('group', { name: 'Response' }).innerText();
    assert.match(response, /^503 Service Unavailable\n(.*\n)*retry-after: 120\n\nDown\nuntil we are back$/);
    await checkView(page);
  });

  test('the form of a webhook offers every type of events, and has those checked that the webhook receives', async (t) => {
    const settings = { url: receiver.url, types: ['mail.retried', 'form.created'], enabled: false };
    const { id } = await createRecord(service, '/api/v1/webhooks', settings);
    const { page } = await visit(t, `/console/webhooks/${id}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const options = page.getByRole('dialog').locator('label.option:has(code)');
    const offered = await options.locator('code').allInnerTexts();
    assert.deepEqual(offered.toSorted(), EVENT_TYPE_NAMES.toSorted());
    const checked = await options
      .filter({ has: page.locator(':checked') })
      .locator('code')
      .allInnerTexts();
    assert.deepEqual(checked.toSorted(), settings.types.toSorted());
  });

  test('everything since the webhook fails is replayed with one press, also if it is pressed twice', async (t) => {
    const id = await createFailing('replayed', 3);
    const { page } = await visit(t, '/console/webhooks');
    const row = page.getByRole('row').filter({ hasText: '/replayed' });
    await row.getByText('503 Service Unavailable since').waitFor();
    await row.getByText('0 %').waitFor();
    await checkView(page);
    await page.goto(`/console/webhooks/${id}`);
    const replay = page.getByRole('button', { name: /^Replay 3 failed deliveries since / });
    await replay.waitFor();
    isDown = false;
    await replay.dblclick();
    await waitForStatus(page, 'All 3 replayed deliveries were received.');
    await page.locator('.page-head').getByText('Enabled').waitFor();
    assert.deepEqual(
      (await list(id)).map(({ state }) => state),
      ['delivered', 'delivered', 'delivered'],
    );
    const received = receiver.requests.filter(({ start }) => start.includes('/replayed '));
    assert.equal(received.length, 6);
  });
});
