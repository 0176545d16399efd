/** Tasks of an administrator with the record, with their number of interactions. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { COMMAND_LINE, runInContext } from '../../../src/callers/action-context.ts';
import { recordEvents } from '../../../src/features/events/record-event.ts';
import { newId } from '../../../src/lib/secrets/ids.ts';
import { changeRole, createAdministrator, signInAs } from '../../../test/support/administrators.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { createHands } from '../../../test/support/browser/hands.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../test/support/events.ts';
import { useService } from '../../../test/support/service.ts';
import { register } from '../../../test/support/users.ts';

const rows = (page: Page) => page.locator('.events > tbody > tr:not(.fold)');
describe('tasks with the events in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  let bob: Awaited<ReturnType<typeof signInAs>>;
  let eve: Awaited<ReturnType<typeof createAdministrator>>;

  before(async () => {
    bob = await signInAs(service, 'owner');
    eve = await createAdministrator(service, 'support');
    assert.equal((await changeRole(bob.send, eve, 'auditor')).status, 200);
    const { secret } = await createCredential(service, ['users:write'], { name: 'CRM sync' });
    const path = `/api/v1/users/${(await register(service)).id}`;
    const change = await service.api.patch(
      path,
      { state: 'disabled' },
      { token: secret, headers: { 'if-match': '*' } },
    );
    assert.equal(change.status, 200);
    await runInContext(COMMAND_LINE, () =>
      service.service.database.transaction((tx) =>
        recordEvents(
          tx,
          Array.from({ length: 347 }, () => ({ type: 'user.created', userId: newId(), now: Date.now() })),
        ),
      ),
    );
    await numberAllEvents(service.service.database);
  });

  test('what a person with a role did in the last week is found with four interactions, and what a credential did with two', async (t) => {
    const { page } = await visit(t, '/console/events');
    const hands = createHands(page);
    await hands.unfold('By');
    await page.getByText('People with a role').waitFor();
    await hands.follow(`${bob.name} ${bob.email}`);
    await page.getByRole('list', { name: 'Filters' }).getByText(`By ${bob.name}`).waitFor();
    await rows(page).filter({ hasText: 'User changed' }).getByText(bob.name).waitFor();
    hands.check(2);
    await hands.unfold('Time');
    await hands.press('Last 7 days');
    hands.check(2);
    await rows(page).filter({ hasText: 'Signed in' }).first().waitFor();
    assert.equal(await rows(page).filter({ hasText: 'User disabled' }).count(), 0);
    await page.goto('/console/events');
    await hands.unfold('By');
    await hands.follow(/^CRM sync$/);
    await page.getByRole('list', { name: 'Filters' }).getByText('By CRM sync').waitFor();
    await rows(page).filter({ hasText: 'User disabled' }).locator('.with-icon').waitFor();
    await rows(page).filter({ hasText: 'Signed in' }).first().waitFor({ state: 'detached' });
    hands.check(2);
  });

  test('an address with a user as the actor has what they did as an administrator, too', async (t) => {
    const { page } = await visit(t, `/console/events?actor=user:${bob.id}`);
    await rows(page).filter({ hasText: 'Signed in' }).first().waitFor();
    await rows(page).getByRole('button', { name: 'User changed' }).click();
    await page.locator('.fold').getByText(`${bob.name} changed ${eve.email}.`).waitFor();
    await page.locator('.fold').getByRole('link', { name: bob.name, exact: true }).click();
    await page.waitForURL(`**/console/users/${bob.id}`);
  });

  test('tasks: an administrator lists their own acts in 2 interactions', async (t) => {
    const { page } = await visit(t, '/console/events', { role: 'auditor' });
    const hands = createHands(page);
    await hands.unfold('By');
    await hands.follow(/^You$/);
    await page.waitForURL(/actor=[0-9a-f-]{36}$/);
    await rows(page).filter({ hasText: 'Signed in' }).first().waitFor();
    await rows(page).filter({ hasText: 'User disabled' }).first().waitFor({ state: 'detached' });
    hands.check(2);
  });

  test('an import is one row, which folds out into its events and loads more of them', async (t) => {
    const { page } = await visit(t, '/console/events');
    const imported = page.getByRole('row').filter({ hasText: '347 users' });
    await imported.getByText('Command line').waitFor();
    await imported.getByRole('button', { name: 'User created' }).click();
    await page.getByText('The command line created 347 users.').waitFor();
    const inner = page.getByRole('table', { name: 'Events of this act' });
    const parts = inner.locator('> tbody > tr');
    await parts.nth(49).waitFor();
    await page.locator('.fold').getByRole('button', { name: 'Load more' }).click();
    await parts.nth(99).waitFor();
    await checkView(page);
    const filtered = await visit(t, '/console/events?type=user.created');
    await filtered.page.getByText('347 users').waitFor();
  });
});
