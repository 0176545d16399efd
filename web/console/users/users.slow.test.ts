import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { sql } from '../../../src/database/database.ts';
import { axeViolations } from '../../../test/support/browser/accessibility.ts';
import { checkView, useConsole, whileOffline } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus, waitForFocusedText } from '../../../test/support/browser/keyboard.ts';
import {
  waitForAlert,
  waitForEmptyList,
  waitForQuery,
  waitForStatus,
} from '../../../test/support/browser/steps.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertTestUser, markEmailVerified } from '../../../test/support/users.ts';

const admin = { token: ADMIN_TOKEN };
const LIST = '/console/users';
const DELETE = sql('delete from users where id = $1');

const rows = (page: Page) => page.locator('tbody tr');
const summary = (page: Page) => page.locator('.summary');

/** Waits until the list has loaded with this number of users. */
async function shows(page: Page, text: string): Promise<void> {
  await summary(page).filter({ hasText: text }).waitFor();
}

describe('the list of users in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  before(async () => {
    const { database } = service.service;
    for (let number = 0; number < 120; number++) {
      const name = number < 3 ? `Ada ${number}` : `Person ${number}`;
      await insertTestUser(database, {
        name,
        email: `${name.replace(' ', '.').toLowerCase()}@example.com`,
        createdAt: Date.now() + number,
        ...(number === 1 && { state: 'disabled' as const }),
      });
    }
  });

  test('the user list searches while one types, filters by state, and keeps both through reload, Back and Forward', async (t) => {
    const { page } = await visit(t, LIST);
    await shows(page, '1–50 of 12');
    assert.match((await rows(page).first().textContent())!, /Person 119/);
    await tabTo(page, 'input[type=search]');
    await page.keyboard.type('  aDa');
    // A search may begin before the last letter is typed.
    await page.waitForURL(({ search }) => search === '?search=aDa');
    await shows(page, '3 users');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled');
    await shows(page, '1 user');
    await page.reload();
    await shows(page, '1 user');
    await waitForQuery(page, { search: 'aDa', state: 'disabled' });
    await rows(page).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Ada 1' }).waitFor();
    await page.getByRole('link', { name: 'Back to users' }).click();
    await shows(page, '1 user');
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await shows(page, '3 users');
    await page.goForward();
    await shows(page, '1 user');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'aDa');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('combobox', { name: 'State' }).selectOption('All');
    await page.getByRole('link', { name: 'Created', exact: true }).click();
    await rows(page).first().filter({ hasText: 'Ada 0' }).waitFor();
    await waitForQuery(page, { sort: 'created_at' });
  });

  test('the user list has pages by links, also back, after a reload and by keyboard', async (t) => {
    const { page } = await visit(t, `${LIST}?sort=created_at`);
    await shows(page, '1–50 of 12');
    await page.getByRole('link', { name: 'Next' }).press('Enter');
    await shows(page, '51–100 of 12');
    assert.match((await rows(page).first().textContent())!, /Person 50/);
    await waitForFocus(page, '.summary');
    await page.getByRole('link', { name: 'Next' }).click();
    await shows(page, '101–120 of 120 users');
    assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0);
    await page.reload();
    await shows(page, '101–120 of 120 users');
    await page.getByRole('link', { name: 'Previous' }).click();
    await shows(page, '51–100 of 12');
    await page.getByRole('link', { name: 'Previous' }).click();
    await shows(page, '1–50 of 12');
    await waitForQuery(page, { sort: 'created_at' });
    await page.goBack();
    await shows(page, '51–100 of 12');
    assert.equal(await rows(page).count(), 50, 'only the page that is shown is kept');
  });

  test('the user list shows the columns that the URL names, and keeps at least one that identifies the user', async (t) => {
    const { page } = await visit(t, `${LIST}?columns=email,verified&search=ada`);
    const headings = () => page.locator('thead th[scope]').allTextContents();
    await shows(page, '3 users');
    assert.deepEqual(await headings(), ['Email', 'Verified']);
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByRole('checkbox', { name: 'Updated' }).check();
    await page.getByRole('checkbox', { name: 'Verified' }).uncheck();
    assert.deepEqual(await headings(), ['Email', 'Updated']);
    await page.waitForURL(/columns=email%2Cupdated/);
    assert.ok(await page.getByRole('checkbox', { name: 'Email' }).isDisabled());
  });

  test('the user list ignores values in the URL that only name inherited members of objects, and repeated columns', async (t) => {
    const { page } = await visit(t, '/console');
    const request = page.waitForRequest('**/api/v1/users?*');
    await page.goto(
      `${LIST}?state=toString&sort=constructor&verified=toString&created_from=never&columns=valueOf,name,name`,
    );
    const sent = new URL((await request).url()).searchParams;
    assert.deepEqual(Object.fromEntries(sent), { limit: '50', sort: '-created_at' });
    await shows(page, '1–50 of 12');
    assert.deepEqual(await page.locator('thead th[scope]').allTextContents(), ['Name']);
  });

  test('the user list filters by verification, level and days of the reader, each with a chip that removes it', async (t) => {
    const { database } = service.service;
    const old = { name: 'Early', level: 'gold', createdAt: Date.parse('2020-01-31T00:30+09:00') };
    const user = await insertTestUser(database, old);
    await markEmailVerified(service, user.id);
    const { page } = await visit(t, LIST, { timezoneId: 'Asia/Tokyo' });
    await page.getByText('Times and days are those of Asia/Tokyo.').waitFor();
    await shows(page, '1–50 of 12');
    await page.locator('summary').getByText('Created').click();
    await page.getByRole('textbox', { name: 'Until' }).fill('2020-01-31');
    await page.getByRole('textbox', { name: 'Until' }).blur();
    await shows(page, '1 user');
    // The last day is included.
    await waitForQuery(page, { created_to: '2020-01-31T15:00:00.000Z' });
    await page.getByRole('link', { name: 'Created until Jan 31, 2020' }).waitFor();
    await page.getByRole('textbox', { name: 'From' }).fill('2020-01-31');
    await page.getByRole('textbox', { name: 'From' }).blur();
    await page.waitForURL(/created_from=2020-01-30T15/);
    await page.getByRole('combobox', { name: 'Email' }).selectOption('Verified');
    await page.locator('summary').getByText('Level').click();
    await page.getByLabel('Level, exactly').fill('gold');
    await page.keyboard.press('Enter');
    await page.waitForURL(/level=gold/);
    await shows(page, '1 user');
    await page.reload();
    await rows(page).getByText('Early').waitFor();
    const chips = page.getByRole('list', { name: 'Filters' });
    assert.equal(await chips.getByRole('listitem').count(), 5);
    await chips.getByRole('link', { name: 'Created from' }).click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('created_from'));
    await page.getByRole('link', { name: 'Clear', exact: true }).click();
    await shows(page, '1–50 of 12');
    await waitForQuery(page, {});
    await page.locator('summary').getByText('Last sign-in').click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByText('No user matches these filters.').waitFor();
    await page.waitForURL(/last_login_from=/);
    await database.transaction((tx) => tx.run(DELETE, user.id));
  });

  test('Back returns to the page, the scroll position and the row of the user list that was left', async (t) => {
    const { page } = await visit(t, `${LIST}?sort=created_at`);
    await shows(page, '1–50 of 12');
    await page.getByRole('link', { name: 'Next' }).click();
    await shows(page, '51–100 of 12');
    const row = rows(page).nth(30);
    const name = (await row.getByRole('link').textContent())!;
    await row.scrollIntoViewIfNeeded();
    const scroll = await page.evaluate(() => scrollY);
    assert.ok(scroll > 0);
    await row.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goBack();
    await shows(page, '51–100 of 12');
    await waitForFocusedText(page, name);
    assert.equal(await page.evaluate(() => scrollY), scroll);
  });

  test('the user list is sorted by the headers of its columns, once more the other way round', async (t) => {
    const { page } = await visit(t, LIST);
    await shows(page, '1–50 of 12');
    for (const [header, sort] of [
      ['Name', 'name'],
      ['Name', '-name'],
      ['Email', 'email'],
      ['Last sign-in', '-last_login_at'],
      ['Last sign-in', 'last_login_at'],
    ] as const) {
      await page.getByRole('columnheader').getByRole('link', { name: header }).click();
      await waitForQuery(page, { sort });
    }
    await page.getByRole('columnheader').getByRole('link', { name: 'Name' }).click();
    await rows(page).first().getByText('Ada 0').waitFor();
    assert.equal(
      await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'ascending',
    );
  });

  test('the user list keeps the selection on other pages of the same list, and forgets it in another list', async (t) => {
    const { page } = await visit(t, LIST);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('50 selected:').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await shows(page, '51–100 of 12');
    assert.equal(await page.locator('tbody :checked').count(), 0);
    await rows(page).first().getByRole('checkbox').check();
    await page.getByText('51 selected:').waitFor();
    await page.getByRole('link', { name: 'Previous' }).click();
    await shows(page, '1–50 of 12');
    assert.equal(await page.locator('tbody :checked').count(), 50);
    await page.getByRole('searchbox').fill('ada');
    await shows(page, '3 users');
    assert.equal(await page.getByText('selected:').count(), 0);
  });

  test('the user list keeps the rows while they load again, explains an error or no match, and leads out of it', async (t) => {
    const visited = await visit(t, `${LIST}?search=ada`);
    const { page } = visited;
    await shows(page, '3 users');
    await whileOffline(visited, async () => {
      await page.getByRole('combobox', { name: 'State' }).selectOption('Disabled');
      await waitForAlert(page, 'This device is offline');
      assert.equal(await rows(page).count(), 3);
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await shows(page, '1 user');
    await page.goto(`${LIST}?search=nobody`);
    await page.getByText('No name or email contains “nobody”, and no id or token begins with it.').waitFor();
    await page.getByRole('link', { name: 'Show all users' }).click();
    await shows(page, '1–50 of 12');
    await page.goto(`${LIST}?cursor=wrong`);
    await waitForAlert(page, 'could not be loaded');
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await shows(page, '1–50 of 12');
  });

  test('the user list opens the user of a row that is clicked, and shows short times with the full one as title', async (t) => {
    const { page } = await visit(t, `${LIST}?search=ada`);
    await page.getByText(/^3 of 12\d users match$/).waitFor();
    const created = rows(page).filter({ hasText: 'Ada 2' }).locator('time');
    assert.match(await created.innerText(), /^(?:Today, \d|Yesterday)/);
    assert.match((await created.getAttribute('title'))!, /\d{4} at .*(?:UTC|GMT)/);
    await created.click();
    await page.getByRole('heading', { level: 1, name: 'Ada 2' }).waitFor();
  });

  test('the user list keeps its header in view, and shows cards with email and state on a phone', async (t) => {
    const { page } = await visit(t, LIST);
    await shows(page, '1–50 of 12');
    await rows(page).nth(40).scrollIntoViewIfNeeded();
    const header = await page.locator('thead th').nth(1).boundingBox();
    assert.equal(Math.round(header!.y), 0);
    const created = page.getByRole('columnheader', { name: 'Created' }).getByRole('link');
    const [name, time] = await Promise.all([
      created.boundingBox(),
      rows(page).nth(40).locator('time').boundingBox(),
    ]);
    assert.equal(
      Math.round(name!.x + name!.width),
      Math.round(time!.x + time!.width),
      'numbers end below their name',
    );
    await page.setViewportSize({ width: 390, height: 800 });
    await page.evaluate(() => scrollTo(0, 0));
    const row = rows(page).first();
    for (const part of [row.getByText('person.119@example.com'), row.getByText('Active')]) {
      const { x, width } = (await part.boundingBox())!;
      assert.ok(x >= 0 && x + width <= 390, `from ${x}, ${width} wide`);
    }
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('50 selected:').waitFor();
  });

  test('the user list keeps the contrast of buttons and links while the mouse is over them', async (t) => {
    const { page } = await visit(t, `${LIST}?search=ada`);
    await rows(page).first().getByRole('checkbox').check();
    const button = (name: string) => page.getByRole('button', { name });
    const checkHovered = async (target: Locator) => {
      await target.hover();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        assert.deepEqual(await axeViolations(page, 'colors'), [], `${colorScheme}, ${target}`);
      }
    };
    const link = rows(page).first().getByRole('link');
    const menu = page.getByText('Export', { exact: true });
    for (const target of [button('Create user'), menu, button('Disable'), link]) {
      await checkHovered(target);
    }
    await button('Erase…').click();
    await checkHovered(button('Erase 1 user'));
  });
});

describe('creating and exporting users in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  test('the console offers to create the first user, shows errors at their fields, and creates the user by keyboard', async (t) => {
    const { page } = await visit(t, LIST);
    await waitForEmptyList(page, 'No users yet');
    await page.getByRole('button', { name: 'Create user' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create user' });
    await dialog.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('grace');
    await page.keyboard.press('Enter');
    const email = dialog.getByRole('textbox', { name: 'Email' });
    await dialog.getByText('The name field is required.').waitFor();
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    assert.ok(await dialog.getByText('The email field must be a valid email address.').isVisible());
    await checkView(page);
    await waitForFocus(page, 'input[name=name]');
    await page.keyboard.type('Grace Hopper');
    await email.fill('grace@example.com');
    await page.keyboard.press('Enter');
    await waitForStatus(page, 'grace@example.com was created.');
    await shows(page, '1 user');
    const { body } = await service.api.get('/api/v1/users?email=grace@example.com', admin);
    assert.deepEqual([body.data[0].name, body.data[0].level], ['Grace Hopper', null]);
  });

  test('the console saves the users of the filter as a spreadsheet or CSV file, and reports when that failed', async (t) => {
    await insertTestUser(service.service.database, { name: 'Edsger', email: 'edsger@example.com' });
    const { page } = await visit(t, `${LIST}?search=edsger`);
    await page.getByText('Export', { exact: true }).click();
    await checkView(page);
    const spreadsheet = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export matching users' }).click();
    assert.match((await spreadsheet).suggestedFilename(), /^users-\d{4}-\d{2}-\d{2}\.xlsx$/);
    await page.route('**/api/v1/admin/users/export*', (route) => route.abort(), { times: 1 });
    await page.getByText('Export', { exact: true }).click();
    await page.getByLabel('CSV').check();
    await page.getByRole('button', { name: 'Export matching users' }).click();
    await waitForAlert(page, 'The export was not saved');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Try again' }).click();
    const file = await saving;
    assert.match(file.suggestedFilename(), /^users-\d{4}-\d{2}-\d{2}\.csv$/);
    await waitForStatus(page, `${file.suggestedFilename()} was saved`);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    assert.equal(lines.length, 2);
    assert.match(lines[1]!, /edsger@example\.com/);
  });

  test('the console cancels an export, saves nothing of it, and exports again', async (t) => {
    await insertTestUser(service.service.database, { name: 'Barbara', email: 'barbara@example.com' });
    const { page } = await visit(t, `${LIST}?search=barbara`);
    const files: string[] = [];
    page.on('download', (file) => files.push(file.suggestedFilename()));
    // A service that responds late.
    await page.route('**/api/v1/admin/users/export*', () => {}, { times: 1 });
    const start = async () => {
      await page.getByText('Export', { exact: true }).click();
      await page.getByRole('button', { name: 'Export matching users' }).click();
    };
    await start();
    await page.getByRole('progressbar', { name: 'Export' }).waitFor();
    await page.getByRole('button', { name: 'Cancel the export' }).click();
    await waitForStatus(page, 'The export was cancelled.');
    assert.equal(await page.getByRole('alert').filter({ hasText: 'not saved' }).count(), 0);
    assert.deepEqual(files, []);
    await start();
    await waitForStatus(page, 'was saved');
    assert.equal(files.length, 1);
  });
});

describe('the filter by metadata in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);

  before(async () => {
    const { database } = service.service;
    await insertTestUser(database, { name: 'Pia', appMetadata: '{"plan":"pro"}' });
    await insertTestUser(database, { name: 'Fay', appMetadata: '{"plan":"free"}' });
    await insertTestUser(database, { name: 'Coy', userMetadata: '{"company":"pro"}' });
  });

  test('the filter by metadata lists the users with the text, with a chip that removes it', async (t) => {
    const { page } = await visit(t, LIST);
    await shows(page, '3 users');
    const open = () => page.locator('summary').getByText('Metadata').click();
    await open();
    await page.getByLabel('Member').fill('app_metadata.plan');
    await page.getByLabel('Text, exactly').fill('pro');
    await page.keyboard.press('Enter');
    await shows(page, '1 user');
    await page.getByRole('link', { name: 'Pia' }).waitFor();
    await waitForQuery(page, { metadata: 'app_metadata.plan:pro' });
    await open();
    await checkView(page);
    await page.getByLabel('Member').fill('user_metadata.company');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Coy' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Coy' }).waitFor();
    const chips = page.getByRole('list', { name: 'Filters' });
    await chips.getByRole('link', { name: 'user_metadata.company' }).click();
    await shows(page, '3 users');
    await waitForQuery(page, {});
  });
});
