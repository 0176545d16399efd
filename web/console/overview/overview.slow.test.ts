import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from '../../../src/database/database.ts';
import { recordActiveUsers } from '../../../src/features/activity/active-users/active-users.ts';
import { recomputeStatistics } from '../../../src/features/activity/dashboard/recompute-statistics.ts';
import { addFailedLogins } from '../../../src/features/activity/queries.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time.ts';
import { checkView, useConsole } from '../../../test/support/browser/console.ts';
import { logIn } from '../../../test/support/processes/recovery.ts';
import { ADMIN_TOKEN, type TestService, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertTestUser, register } from '../../../test/support/users.ts';

/** The figures are computed at most every two seconds, and failed logins are written in batches. */
async function untilCounted({ api }: TestService): Promise<void> {
  const isCounted = async () => {
    const { data } = (await api.get('/api/v1/admin/dashboard', { token: ADMIN_TOKEN })).body;
    return data.failed_logins_24h === 1 && data.users.total === 2;
  };
  while (!(await isCounted()));
}

describe('the overview of the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the console overview shows the figures, the curves with their numbers, the latest events and the health', async (t) => {
    const person = await register(service);
    await logIn(service, { ...person, password: 'a wrong password' });
    await createUnclaimedUser(service);
    await untilCounted(service);
    const { page } = await visit(t, '/console');
    const figure = (name: string) => page.locator('.figures > li', { hasText: name }).locator('strong');
    await figure('Failed logins').getByText('1').waitFor();
    assert.equal(await figure('Users').innerText(), '2');
    assert.equal(await figure('Active in 7 days').innerText(), '1');
    assert.match(await page.locator('.figures').innerText(), /New today\s+2\s+up from 0\s.+\s+vs yesterday/);
    await page.getByText('Sign-ins in 30 days: password 1 · provider 0 · email 0 · two-step 0').waitFor();
    await page.getByText('Most 2 on').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: `Registered${person.email}` })
      .waitFor();
    await page.getByText(/^(?:SQLite|PostgreSQL), /).waitFor();
    await page.getByRole('link', { name: 'New today 2' }).click();
    await page.locator('.summary').getByText('2 users').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('created_from'), new Date().toISOString().slice(0, 10));
    await page.goBack();
    await page.getByRole('link', { name: 'Failed logins 1' }).click();
    await page.locator('.summary').getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Login failed: wrong password' }).waitFor();
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
    for (const what of ['figures', 'events', 'status', 'alerts']) {
      await page
        .getByRole('alert')
        .filter({ hasText: `The ${what} could not be loaded` })
        .waitFor();
    }
    await page.unroute('**/api/v1/**');
    const failure = page.getByRole('alert').filter({ hasText: 'The figures' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.figures').waitFor();
  });
});

describe('the changes of figures in the overview of the console', () => {
  const now = Math.floor(Date.now() / DAY) * DAY + 11 * HOUR + 20 * MINUTE + 5_000;
  const time = { elapsed: 0 };
  const service = useService('sqlite', { clock: () => now, monotonicClock: () => time.elapsed });
  const visit = useConsole(service);

  test('the console overview shows changes in per cent against the same hours of the spans before', async (t) => {
    const { database } = service.service;
    const at = (daysAgo: number, offset = 0) =>
      insertTestUser(database, { createdAt: now - daysAgo * DAY + offset });
    for (const daysAgo of [10, 10, 2, 2, 2, 1]) await at(daysAgo);
    // Later than this time of yesterday.
    for (let count = 0; count < 3; count++) await at(1, HOUR);
    for (let count = 0; count < 3; count++) await at(0);
    await recomputeStatistics(database, () => now);
    const { page } = await visit(t, '/console', { timezoneId: 'America/New_York' });
    const panel = page.getByRole('region', { name: 'New users per day', exact: true });
    const getSpan = (name: string) => panel.locator('dl > div').filter({ hasText: name });
    await panel.waitFor();
    const figure = page.locator('.figures > li', { hasText: 'New today' });
    assert.match(await figure.innerText(), /3\s+\+200 %\s+against yesterday until this time/);
    assert.match(
      await getSpan('7 days').innerText(),
      /10 \+400 %\s+against the 7 days before until this time/,
    );
    assert.match(
      await getSpan('30 days').innerText(),
      /12 up from 0\s+against the 30 days before until this time/,
    );
    await figure.getByTitle('3 until 11:20 UTC, against 1 yesterday until this time').waitFor();
    await page.getByTitle('0 until 11:20 UTC, against 0 the 24 hours before').waitFor();
  });

  test('the console overview shows fewer failed logins as good, and unknown spans as a dash', async (t) => {
    const { database } = service.service;
    const minute = Math.floor(now / MINUTE);
    const [id] = [(await insertTestUser(database)).id];
    await database.transaction(async (tx) => {
      await addFailedLogins(tx, [
        [minute, 3],
        [minute - 24 * 60, 4],
      ]);
      await recordActiveUsers(tx, now - DAY, [id]);
      await tx.run(sql('update user_activity set hour = null'));
    });
    await recomputeStatistics(database, () => now);
    time.elapsed += 10_000;
    const { page } = await visit(t, '/console');
    const failed = page.locator('.figures > li', { hasText: 'Failed logins' });
    await failed.locator('.tone.good').getByText('−25 %').waitFor();
    const active = page.locator('.figures > li', { hasText: 'Active today' });
    await active
      .getByTitle(/^Yesterday until this time is not known/)
      .getByText('–')
      .waitFor();
    await checkView(page);
  });
});
