import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addFailedLogins } from '../../../src/features/activity/queries.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { waitForAlert } from '../../../test/support/browser/steps.ts';
import { noonClock } from '../../../test/support/limits.ts';
import { logIn } from '../../../test/support/processes/recovery.ts';
import { ADMIN_TOKEN, type TestService, useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { createUnclaimedUser, insertTestUser, register } from '../../../test/support/users.ts';

/** The figures are computed at most every two seconds, and failed sign-ins are written in batches. */
async function untilCounted({ api }: TestService): Promise<void> {
  const isCounted = async () => {
    const { data } = (await api.get('/api/v1/admin/dashboard', { token: ADMIN_TOKEN })).body;
    return data.failed_logins_24h === 1 && data.users.total === 2;
  };
  await until(isCounted, 'the figures are counted');
}

describe('the overview of the console', () => {
  const clock = noonClock();
  const service = useService('sqlite', { clock });
  const visit = useConsole(service);

  test('the console overview shows the figures, the curves with their numbers, the latest events and the health', async (t) => {
    const person = await register(service);
    await logIn(service, { ...person, password: 'a wrong password' });
    await createUnclaimedUser(service);
    await untilCounted(service);
    const { page } = await visit(t, '/console');
    const figure = (name: string) => page.locator('.figures > li', { hasText: name }).locator('strong');
    await figure('Failed sign-ins').getByText('1').waitFor();
    assert.equal(await figure('Users').innerText(), '2');
    assert.equal(await figure('Active in 7 days').innerText(), '1');
    assert.match(await page.locator('.figures').innerText(), /New today\s+2\s+0 yesterday, ±0/);
    await page
      .getByText('Sign-ins in 30 days: password 1 · passkey 0 · provider 0 · email 0 · two-step 0')
      .waitFor();
    await page.getByText('Most 2 on').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: `Registered${person.email}` })
      .waitFor();
    await page.getByText(/^(?:SQLite|PostgreSQL), /).waitFor();
    const total = page.locator('.figures strong').first();
    // As a browser translates it: the text is inside another element.
    await total.evaluate((each) => each.replaceChildren(document.createElement('font')));
    await insertTestUser(service.service.database, { createdAt: clock() - 2 * DAY });
    await until(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return (await total.textContent()) !== '';
    }, 'the figure that has changed is a new element');
    await page.getByRole('link', { name: 'New today 2' }).click();
    await page.locator('.summary').getByText('2 users').waitFor();
    assert.equal(
      new URL(page.url()).searchParams.get('created_from'),
      new Date(clock()).toISOString().replace(/T.*/, 'T00:00:00.000Z'),
    );
    await page.goBack();
    await page.getByRole('link', { name: 'Failed sign-ins 1' }).click();
    await page.locator('.summary').getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign-in failed: wrong password' }).waitFor();
    assert.ok(new URL(page.url()).searchParams.has('from'));
    await page.goBack();
    await page.getByRole('link', { name: /^Mail waiting/ }).click();
    await page.waitForURL('**/console/mail?state=waiting');
  });

  test('the console overview shows the count of a day in a chart to the pointer and to the arrow keys, and leads to its logins', async (t) => {
    const { page } = await visit(t, '/console');
    const panel = page.getByRole('region', { name: 'Active users per day', exact: true });
    const tooltip = panel.locator('.tip');
    await panel.locator('svg').hover({ position: { x: 200, y: 80 } });
    assert.match((await tooltip.textContent())!, /^\w{3}, \w{3} \d+0 active users$/);
    await page.getByRole('heading', { level: 1 }).hover();
    assert.equal(await tooltip.count(), 0);
    const days = panel.getByRole('link', { name: /: \d+ active users$/ });
    assert.equal(await panel.locator('a[tabindex="0"]').count(), 1, 'one stop of Tab');
    await days.last().focus();
    const today = await tooltip.textContent();
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await tooltip.textContent(), today);
    await page.keyboard.press('Home');
    assert.ok(await days.first().evaluate((link) => link === document.activeElement));
    await panel.getByText('Today', { exact: true }).last().waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('type') === 'login.succeeded');
  });

  test('the console overview names the part that could not be loaded, and loads it again on request', async (t) => {
    const { page } = await visit(t, '/console');
    await page.locator('.figures').waitFor();
    await page.route('**/api/v1/**', (route) => route.abort('internetdisconnected'));
    await page.reload();
    for (const what of ['figures', 'events', 'status', 'alerts'])
      await waitForAlert(page, `The ${what} could not be loaded`);
    await page.unroute('**/api/v1/**');
    const failure = page.getByRole('alert').filter({ hasText: 'The figures' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.figures').waitFor();
  });
});

describe('the changes of figures in the overview of the console', () => {
  const now = Math.floor(Date.now() / DAY) * DAY + 11 * HOUR;
  const service = useService('sqlite', { clock: () => now });
  const visit = useConsole(service);

  test('the console overview shows changes of whole days in per cent, and fewer failed sign-ins as good', async (t) => {
    const { database } = service.service;
    const minute = Math.floor(now / MINUTE);
    for (const daysAgo of [10, 10, 2, 2, 2, 1, 0, 0, 0])
      await insertTestUser(database, { createdAt: now - daysAgo * DAY });
    await database.transaction((tx) =>
      addFailedLogins(tx, [
        [minute - 24 * 60, 4],
        [minute, 3],
      ]),
    );
    const { page } = await visit(t, '/console', { timezoneId: 'America/New_York' });
    const panel = page.getByRole('region', { name: 'New users per day', exact: true });
    const getSpan = (name: string) => panel.locator('dl > div').filter({ hasText: name });
    await panel.waitFor();
    const figure = (name: string) => page.locator('.figures > li', { hasText: name });
    assert.match(await figure('New today').innerText(), /3\s+1 yesterday, −67 %\s+against the day before/);
    await figure('New today').getByTitle('1 yesterday, against 3 the day before').waitFor();
    assert.match(await getSpan('7 whole days').innerText(), /4 \+100 %\s+against the 7 days before/);
    assert.match(await getSpan('30 whole days').innerText(), /6 \+6\s+against/);
    await figure('Failed sign-ins').locator('.tone.good').getByText('−25 %').waitFor();
    await page.getByText(/Days of figures and charts are those of UTC\./).waitFor();
    await page.getByText('Times and days are those of America/New_York.').waitFor();
    await page.getByTitle('3 in 24 hours, against 4 the 24 hours before').waitFor();
    await checkView(page);
  });
});
