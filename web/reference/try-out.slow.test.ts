import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useConsole, whileOffline } from '../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../test/support/browser/keyboard.ts';
import { chooseSender, openForm, send, sendButton } from '../../test/support/browser/reference.ts';
import { ADMIN_TOKEN, newUserData, useService } from '../../test/support/service.ts';
import { register } from '../../test/support/users.ts';

describe('the try-out form of the reference', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the try-out form sends encoded parameters and no empty ones', async (t) => {
    const { page } = await visit(t, '/docs', { isSignedIn: false });
    const byId = await openForm(page, 'getUser');
    await byId.getByLabel('id path').fill('a/b ?#é');
    const one = await send(page, 'getUser');
    const url = `${service.api.url}/api/v1/users/a%2Fb%20%3F%23%C3%A9`;
    assert.deepEqual([one.method(), one.url()], ['GET', url]);

    const list = await openForm(page, 'listUsers');
    assert.equal((await send(page, 'listUsers')).url(), `${service.api.url}/api/v1/users`);
    await list.getByLabel('search query').fill("O'Neil&state=active");
    await list.getByLabel('state query').selectOption('unclaimed');
    const query = 'state=unclaimed&search=O%27Neil%26state%3Dactive';
    assert.equal((await send(page, 'listUsers')).url(), `${service.api.url}/api/v1/users?${query}`);

    const body = await openForm(page, 'createUser');
    assert.equal((await send(page, 'createUser')).headers()['idempotency-key'], undefined);
    await body.getByLabel('Idempotency-Key').fill('key-of-the-test');
    await body.getByLabel('Request body').fill('{"name": "Grace"}');
    const created = await send(page, 'createUser');
    assert.equal(created.headers()['idempotency-key'], 'key-of-the-test');
    assert.equal(created.headers()['content-type'], 'application/json');
    assert.equal(created.postData(), '{"name": "Grace"}');
  });

  test('the try-out form shows missing and invalid values at their fields before anything is sent', async (t) => {
    const { page } = await visit(t, '/docs', { isSignedIn: false });
    const sent: string[] = [];
    const update = await openForm(page, 'updateUser');
    page.on('request', (request) => sent.push(request.url()));
    await update.getByLabel('If-Match').fill('„1“ \u{1F600}');
    await update.getByLabel('Request body').fill('{"name": ');
    await sendButton(page, 'updateUser').click();
    await update.getByText('This is not JSON').waitFor();
    const errors = await update.getByRole('alert').allInnerTexts();
    assert.deepEqual(errors.slice(0, 2), ['Enter id.', 'A header cannot have these characters.']);
    assert.match(errors[2]!, /^This is not JSON: /);
    assert.equal(await update.locator('[aria-invalid=true]').count(), 3);
    await waitForFocus(page, 'input[name=path-id]');
    const describedBy = await update.getByLabel('id path').getAttribute('aria-describedby');
    assert.equal(await page.locator(`[id="${describedBy}"]`).innerText(), 'Enter id.');
    await update.getByLabel('id path').fill('..');
    await sendButton(page, 'updateUser').click();
    await update.getByText('A part of the path cannot be “.” or “..”.').waitFor();
    assert.deepEqual(sent, []);
  });

  test('the try-out form shows why there was no response, and cancels a request that gets none', async (t) => {
    const visited = await visit(t, '/docs');
    const { page } = visited;
    const form = await openForm(page, 'getLiveness');
    await whileOffline(visited, async () => {
      await sendButton(page, 'getLiveness').click();
      await form.getByRole('alert').getByText('There was no response. This device is offline.').waitFor();
    });
    await page.route('**/livez', (route) => route.abort());
    await sendButton(page, 'getLiveness').click();
    await form.getByRole('alert').getByText('The service did not respond.').waitFor();
    await page.unroute('**/livez');
    await page.route('**/livez', () => {});
    await sendButton(page, 'getLiveness').click();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.getByText('Cancelled. The service may have processed').waitFor();
    await page.unroute('**/livez');
    await send(page, 'getLiveness');
    assert.equal(await form.getByRole('alert').count(), 0);
  });
});

describe('responses in the try-out form of the reference', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('a try-out shows status, time, request id, headers and the indented body of the response, by keyboard alone', async (t) => {
    const { page } = await visit(t, '/docs#register', { isSignedIn: false });
    const user = newUserData();
    await waitForFocus(page, '#register');
    await tabTo(page, '#register .try > summary');
    await page.keyboard.press('Enter');
    await tabTo(page, '#register textarea');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify(user));
    await tabTo(page, '#register button[type=submit]');
    const [response] = await Promise.all([
      page.waitForResponse('**/api/register'),
      page.keyboard.press('Enter'),
    ]);
    const status = page.locator('#register .received-response > [role=status]');
    await status.getByText('201 Created').waitFor();
    const box = await page.locator('#register .received-response').boundingBox();
    assert.ok(box!.y >= 0 && box!.y < page.viewportSize()!.height, 'the response is scrolled into view');
    const requestId = response.headers()['x-request-id']!;
    assert.match(await status.innerText(), new RegExp(`^201 Created in \\d+ ms · request ${requestId}$`));
    await waitForFocus(page, '#register button[type=submit]');
    const body = await page.locator('#register pre[aria-label="Response body"]').innerText();
    assert.equal(body, JSON.stringify(JSON.parse(body), null, 2));
    assert.match(body, /^ {2}"access_token": "/m);
    await tabTo(page, '#register .received-response summary');
    await page.keyboard.press('Enter');
    const header = page.locator('#register .received-response dl > div', { hasText: 'x-request-id' });
    assert.equal(await header.locator('dd').innerText(), requestId);
    const found = await service.api.get(`/api/v1/users?email=${user.email}`, { token: ADMIN_TOKEN });
    assert.equal(found.body.data.length, 1);
  });

  test('a try-out asks before it deletes, and sends nothing when that is cancelled', async (t) => {
    const { page } = await visit(t, '/docs');
    const { id } = await register(service);
    await chooseSender(page, 'Session');
    const form = await openForm(page, 'deleteUser');
    assert.equal(await sendButton(page, 'deleteUser').innerText(), 'Send DELETE');
    await form.getByLabel('id path').fill(id);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    await sendButton(page, 'deleteUser').click();
    const dialog = page.getByRole('dialog', { name: 'Delete a user?' });
    assert.match(
      await dialog.innerText(),
      new RegExp(`DELETE /api/v1/users/${id} is sent with your session`),
    );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(page, '#deleteUser button[type=submit]');
    assert.deepEqual(sent, []);
    await sendButton(page, 'deleteUser').click();
    await dialog.getByRole('button', { name: 'Delete a user' }).click();
    await page.locator('#deleteUser .received-response .tone.good').waitFor();
    assert.deepEqual(sent, ['DELETE']);
    assert.equal((await service.api.get(`/api/v1/users/${id}`, { token: ADMIN_TOKEN })).status, 404);
  });
});
