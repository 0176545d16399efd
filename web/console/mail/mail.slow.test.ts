import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { waitForStatus } from '../../../test/support/browser/steps.ts';
import { enqueue, startTestDelivery } from '../../../test/support/mail.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { rejection, startSmtpServer } from '../../../test/support/smtp-server.ts';
import { insertTestUser } from '../../../test/support/users.ts';

const LIST = '/console/mail';

describe('mail in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const queue = async (email: string) => {
    const { database } = service.service;
    const { id } = await insertTestUser(database, { name: 'Ada', email });
    await enqueue(database, { kind: 'verify_email', userId: id, email, now: Date.now() });
    return id;
  };

  test('the mail page explains why a message has failed, and sends it again after a dialog that names the recipient', async (t) => {
    const email = 'ada@example.com';
    const userId = await queue(email);
    const smtp = await startSmtpServer({ onRecipient: () => rejection(550, '5.1.1 No such user') });
    const { delivery } = startTestDelivery(service.service.database, smtp, { clock: () => Date.now() });
    await delivery.deliverDue();
    await delivery.close();
    await smtp.close();
    await queue('other@example.org');
    const { page } = await visit(t, `/console/users/${userId}`);
    await page.getByRole('link', { name: 'Messages to this user' }).click();
    await page.waitForURL(`**${LIST}?recipient=ada%40example.com`);
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText('Failed').waitFor();
    assert.equal(await page.getByText('other@example.org').count(), 0);
    await row.getByRole('button', { name: 'Confirm your email address' }).press('Enter');
    await page.getByText('The mail server has rejected it for good.').waitFor();
    await page.getByText('The mail server knows no such mailbox.').waitFor();
    await page.getByText('/account/verify-email/••••').waitFor();
    await page.getByText('Links are masked').waitFor();
    await page.getByRole('button', { name: 'Send again…' }).click();
    const dialog = page.getByRole('dialog', { name: `Send the message to ${email} again?` });
    await waitForFocus(page, 'dialog .secondary');
    await checkView(page);
    await dialog.getByRole('button', { name: `Send to ${email}` }).click();
    await waitForStatus(page, `The message to ${email} is sent within seconds.`);
    await row.getByText('Waiting').waitFor();
  });

  test('the mail page shows the text of a message that waits without its link, cancels it, and filters by state and recipient', async (t) => {
    const email = 'grace@example.net';
    await queue(email);
    const { page } = await visit(t, `${LIST}?state=cancelled`);
    await page.getByText('No message matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all messages' }).click();
    await page.getByRole('link', { name: /^Waiting \d/ }).click();
    await page.waitForURL('**?state=waiting');
    await page.getByLabel('Recipient').fill('@example.net');
    await page.keyboard.press('Enter');
    await page.waitForURL('**?*recipient=%40example.net*');
    await page.getByRole('row').filter({ hasText: email }).getByRole('button').click();
    await page.getByText('/account/verify-email/••••').waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const dialog = page.getByRole('dialog', { name: `Cancel the message to ${email}?` });
    await dialog.getByRole('button', { name: 'Cancel the message' }).click();
    await waitForStatus(page, `The message to ${email} was cancelled.`);
    await page.getByText('No message matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Cancelled 1' }).waitFor();
    await checkView(page);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('row').filter({ hasText: email }).getByText('Cancelled').waitFor();
  });

  test('the mail page says that a message is not kept any more when its user was erased meanwhile', async (t) => {
    const id = await queue('erased@example.com');
    const { page } = await visit(t, `${LIST}?recipient=erased%40example.com`);
    await page.getByRole('button', { name: 'Confirm your email address' }).waitFor();
    assert.equal((await service.api.delete(`/api/v1/users/${id}`, { token: ADMIN_TOKEN })).status, 204);
    await page.getByRole('button', { name: 'Confirm your email address' }).click();
    await page.getByText('The message is not kept any more').waitFor();
  });
});
