import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { toLogoText } from '../../../src/settings/rules.ts';
import { checkView, useConsole, WIDE } from '../../../test/support/browser/console.ts';
import { tabTo, waitForFocus } from '../../../test/support/browser/keyboard.ts';
import { changeRecord, PIXEL, readData } from '../../../test/support/browser/records.ts';
import { confirm, press, waitForAlert, waitForStatus } from '../../../test/support/browser/steps.ts';
import {
  createTestForm,
  insertTestSubmissions,
  NAME_FIELD,
  publishNextVersion,
  publishTestForm,
} from '../../../test/support/forms.ts';
import { useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';

const LIST = '/console/forms';
const LOGO = toLogoText(PIXEL);
const EMAIL = { label: 'email', type: 'email', is_required: false };
const NOTE = { label: 'note', type: 'text', is_required: false, multiline: true };
const pick = (page: Page, name: string) => page.locator('.pick').filter({ hasText: name }).click();

describe('forms in the console', () => {
  const service = useService('sqlite');
  const visit = useConsole(service);
  const toId = (path: string) => path.split('/').at(-1)!;
  const read = (id: string) => readData(service, `/api/v1/forms/${id}`);
  const listLabels = async (id: string) =>
    (await read(id)).fields.map(({ label }: { label: string }) => label);

  test('a form is created, gets a field whose error is shown at it, and is published with what changes named', async (t) => {
    const { page } = await visit(t, LIST);
    await page.getByText('No forms yet').waitFor();
    await checkView(page);
    await tabTo(page, 'main .empty button.primary');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New form' }).waitFor();
    const id = toId(page.url());
    await page.setViewportSize(WIDE);
    await page.getByLabel('Title', { exact: true }).fill('Open Lab');
    await page.getByText('Add…').press('Enter');
    await press(page, 'One choice');
    await waitForFocus(page, '[name$="/title"]');
    await page.keyboard.type('Session');
    assert.equal(await page.getByLabel('Label', { exact: true }).inputValue(), 'session');
    await page.getByLabel('Label', { exact: true }).fill('email');
    await page.getByLabel('Choice 1', { exact: true }).fill('Morning');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Evening');
    await page.getByText('unsaved changes').waitFor();
    await press(page, 'Save');
    await page.getByText('Not saved, see Session.').waitFor();
    await waitForFocus(page, '[name$="/label"][aria-invalid=true]');
    await checkView(page);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('session');
    await press(page, 'Publish…');
    const dialog = page.getByRole('dialog', { name: 'Publish version 2?' });
    await dialog.getByText('one choice, optional').waitFor();
    await checkView(page);
    await confirm(page, 'Publish version 2');
    await waitForStatus(page, 'Version 2 is published.');
    const { state, title, fields } = await read(id);
    assert.deepEqual([state, title], ['published', 'Open Lab']);
    assert.deepEqual(fields.at(-1).options, ['Morning', 'Evening']);
    await page.getByRole('button', { name: 'Publish…' }).waitFor({ state: 'detached' });
    await pick(page, 'Session');
    await press(page, 'Remove Evening');
    await press(page, 'Publish…');
    await page.getByRole('dialog').getByText('choice “Evening” removed').waitFor();
  });

  test('the preview of a form has the name, logo and colour of the pages for people', async (t) => {
    const { id } = await createTestForm(service, { fields: [NAME_FIELD, EMAIL, NOTE] });
    const setBrand = async (settings: object) =>
      assert.equal((await changeRecord(service, '/api/v1/admin/settings', settings)).status, 200);
    await setBrand({ BRAND_COLOR: '#ffd400', INSTANCE_NAME: 'Harbour', INSTANCE_LOGO: LOGO });
    t.after(() => setBrand({ BRAND_COLOR: null, INSTANCE_NAME: null, INSTANCE_LOGO: null }));
    const { page } = await visit(t, `${LIST}/${id}`);
    const preview = page.locator('.preview');
    await preview.getByText('Harbour').waitFor();
    assert.match((await preview.locator('img.logo').getAttribute('src'))!, /\/logo\?v=/);
    const button = await preview.locator('.button.primary').elementHandle();
    await page.waitForFunction(
      (element) => getComputedStyle(element!).backgroundColor === 'rgb(255, 212, 0)',
      button,
    );
    const publish = page.getByRole('button', { name: 'Publish…' });
    assert.notEqual(
      await publish.evaluate((element) => getComputedStyle(element).backgroundColor),
      'rgb(255, 212, 0)',
    );
    await checkView(page);
  });

  test('fields are moved by keyboard and by pointer, removed and restored, and all of it is discarded and restored', async (t) => {
    const { id } = await createTestForm(service, { fields: [NAME_FIELD, EMAIL, NOTE] });
    const { page } = await visit(t, `${LIST}/${id}`);
    const list = () => page.locator('.form-fields .cut').allInnerTexts();
    await tabTo(page, '.grip');
    await page.keyboard.press('Space');
    await page.getByText('full_name is lifted, 1 of 3.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByText('full_name is lifted, 2 of 3.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByText('full_name is lifted, 3 of 3.').waitFor();
    await checkView(page);
    await page.keyboard.press('Escape');
    assert.deepEqual(await list(), ['full_name', 'email', 'note']);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    assert.deepEqual(await list(), ['email', 'full_name', 'note']);
    await waitForFocus(page, '[data-key="field-full_name"]');
    const [from, to] = await Promise.all(
      [2, 0].map(async (index) => (await page.locator('.grip').nth(index).boundingBox())!),
    );
    await page.mouse.move(from!.x + 5, from!.y + 5);
    await page.mouse.down();
    await page.mouse.move(to!.x + 5, to!.y + 8, { steps: 4 });
    await page.mouse.up();
    assert.deepEqual(await list(), ['note', 'email', 'full_name']);
    await pick(page, 'email');
    await press(page, 'Move up');
    assert.deepEqual(await list(), ['email', 'note', 'full_name']);
    await press(page, 'Remove');
    await waitForStatus(page, 'email was removed.');
    assert.deepEqual(await list(), ['note', 'full_name']);
    await press(page, 'Undo');
    await press(page, 'Discard');
    assert.deepEqual(await list(), ['full_name', 'email', 'note']);
    await press(page, 'Undo');
    await press(page, 'Save');
    await waitForStatus(page, 'The form was saved.');
    assert.deepEqual(await listLabels(id), ['email', 'note', 'full_name']);
  });

  test('unsaved changes stay while earlier ones are saved and other views are open, and the browser asks before it leaves them', async (t) => {
    const { id } = await createTestForm(service, { title: 'First' });
    const { page } = await visit(t, `${LIST}/${id}`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/forms/*', async (route) => {
      if (route.request().method() === 'PUT') await released;
      await route.continue();
    });
    await page.getByLabel('Title', { exact: true }).fill('Kept');
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PUT'),
      press(page, 'Save'),
    ]);
    await page.getByLabel('Description (optional)').fill('Typed during the request');
    release();
    await sent.response();
    await page.getByRole('heading', { level: 1, name: 'Kept' }).waitFor();
    assert.equal(await page.getByLabel('Description (optional)').inputValue(), 'Typed during the request');
    await page.unrouteAll();
    await page.getByLabel('Title', { exact: true }).fill('Typed');
    await page.getByRole('link', { name: 'Back to forms' }).click();
    await page.getByRole('link', { name: 'Kept' }).click();
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Typed');
    const asked = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      });
    });
    await page.reload();
    assert.equal(await asked, 'beforeunload');
    assert.equal((await read(id)).title, 'Kept');
  });

  test('changes of two people are merged, and one that both have made is named before it replaces the other', async (t) => {
    const { id } = await createTestForm(service, { title: 'Before' });
    const { page } = await visit(t, `${LIST}/${id}`);
    const changeElsewhere = (members: object) =>
      publishNextVersion(service, `/api/v1/forms/${id}`, {
        title: 'Before',
        fields: [NAME_FIELD],
        ...members,
      });
    await page.getByLabel('Title', { exact: true }).fill('Mine');
    await changeElsewhere({ description: 'Theirs' });
    await press(page, 'Save');
    await waitForStatus(page, 'The form was saved.');
    const merged = await read(id);
    assert.deepEqual([merged.title, merged.description], ['Mine', 'Theirs']);
    await page.getByLabel('Title', { exact: true }).fill('Mine again');
    await changeElsewhere({ title: 'Theirs' });
    await press(page, 'Save');
    await waitForAlert(page, 'Another person has changed it since: Title.');
    assert.equal((await read(id)).title, 'Theirs');
    await checkView(page);
    await press(page, 'Save');
    await waitForStatus(page, 'The form was saved.');
    assert.equal((await read(id)).title, 'Mine again');
  });

  test('settings show their errors, and a form is closed, opened again by Undo, duplicated and deleted', async (t) => {
    const path = await publishTestForm(service, { title: 'Lifecycle' });
    await insertTestSubmissions(service, path, { answers: [{}, {}, {}] });
    const { page } = await visit(t, `${LIST}/${toId(path)}/settings`);
    await page.getByLabel('Opens').fill('2037-01-02T10:00');
    await page.getByLabel('Closes').fill('2037-01-01T10:00');
    await page.getByLabel('Maximum of submissions').fill('many');
    await page.getByLabel('From one network in a minute').fill('30');
    await press(page, 'Save');
    await page.getByText('Not saved, see Maximum of submissions, Closes.').waitFor();
    await waitForFocus(page, '[aria-invalid=true]');
    assert.deepEqual(await page.locator('main .error[role=alert]').allInnerTexts(), [
      'Must be later than the time at which the form opens.',
      'Must be a whole number.',
    ]);
    await checkView(page);
    await page.getByLabel('Time zone').selectOption('Asia/Kathmandu');
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    const opens = page.getByLabel('Opens');
    assert.equal(await opens.getAttribute('max'), '9999-12-31T23:59', 'no year of six digits');
    await until(
      async () => (await opens.inputValue()) === '2037-01-02T11:00',
      'the time is that of the zone',
    );
    await opens.fill('2037-01-02T12:30');
    await page.getByLabel('Closes').fill('2037-01-03T11:00');
    await page.getByLabel('Maximum of submissions').fill('20');
    await page.getByLabel('Who can submit').selectOption('token');
    await page.getByLabel('Once per user').check();
    await press(page, 'Add origin');
    const origin = page.getByLabel('Origin 1', { exact: true });
    await origin.fill('https://example.com/contact?a=1');
    await origin.blur();
    await waitForStatus(page, 'Only the origin counts');
    assert.equal(await origin.inputValue(), 'https://example.com');
    await page.getByLabel('After submitting').selectOption('text');
    await page.getByLabel('Text').fill('Thank you.');
    await page.getByLabel('Send messages').selectOption('hour');
    await page.getByLabel('Address 1', { exact: true }).fill('lab@example.com');
    await press(page, 'Save');
    await waitForStatus(page, 'The form was saved.');
    const { once, thanks, notify, allowed_origins, draft_version, ...form } = await read(toId(path));
    assert.deepEqual(
      [form.max_submissions, form.max_per_minute, form.time_zone, form.opens_at, form.closes_at],
      [20, 30, 'Europe/Berlin', '2037-01-02T11:30:00.000Z', '2037-01-03T10:00:00.000Z'],
    );
    assert.deepEqual(
      [once, thanks, allowed_origins, draft_version],
      [true, { text: 'Thank you.' }, ['https://example.com'], 1],
    );
    assert.deepEqual(notify, { addresses: ['lab@example.com'], every: 'hour' });
    await press(page, 'Close');
    await page.locator('.page-head').getByText('Closed').waitFor();
    await press(page, 'Undo');
    await page.locator('.page-head').getByText('Opens Jan').waitFor();
    await page.getByText('until Jan 3, 2037, 11:00 AM (Europe/Berlin)').waitFor();
    await press(page, 'Duplicate');
    await waitForStatus(page, 'This is the copy');
    assert.notEqual(toId(page.url()), toId(path));
    await page.goBack();
    await press(page, 'Delete form…');
    const dialog = page.getByRole('dialog', { name: 'Delete this form?' });
    await dialog.getByText('3 submissions').waitFor();
    await checkView(page);
    await dialog.getByLabel('Type Lifecycle').fill('Lifecycle');
    await confirm(page, 'Delete form');
    await waitForStatus(page, 'Lifecycle was deleted.');
    assert.equal(await readData(service, path), undefined);
  });

  test('held submissions are released and deleted apart from the others, which are filtered and exported', async (t) => {
    const path = await publishTestForm(service, { title: 'Inbox: für uns', fields: [NAME_FIELD, EMAIL] });
    await insertTestSubmissions(service, path, { answers: [{ full_name: '=1+1' }, { full_name: 'Grace' }] });
    const held = ['Spam', 'Ham'].map((name) => ({ full_name: name }));
    await insertTestSubmissions(service, path, { answers: held, held: 1 });
    const { page } = await visit(t, LIST);
    const row = page.getByRole('row').filter({ hasText: 'Inbox' });
    assert.match(await row.innerText(), /2\s+2/);
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'Submissions 2' }).click();
    await page.getByText('Wait for a decision.').click();
    const waiting = page.getByRole('table', { name: 'Held submissions' });
    await waiting.getByText('Held: too many').first().waitFor();
    await waiting.getByLabel('Select Ham').check();
    await checkView(page);
    await press(page, 'Release…');
    await checkView(page);
    await confirm(page, 'Release 1 submission');
    await waitForStatus(page, '1 submission released.');
    const accepted = page.getByRole('table', { name: 'Submissions', exact: true });
    await accepted.getByRole('link', { name: 'Ham' }).waitFor();
    await waiting.getByLabel('Select Spam').check();
    await press(page, 'Delete…');
    await confirm(page, 'Delete 1 submission');
    await page.getByText('Wait for a decision.').waitFor({ state: 'detached' });
    await page.getByText('Export', { exact: true }).click();
    const spreadsheet = page.waitForEvent('download');
    await press(page, 'Export all submissions');
    assert.match((await spreadsheet).suggestedFilename(), /^Inbox für uns \d{4}-\d\d-\d\d\.xlsx$/);
    await page.getByText('Export', { exact: true }).click();
    await page.getByLabel('CSV for Excel').check();
    await page.getByLabel('Guard against formulas').uncheck();
    await checkView(page);
    const download = page.waitForEvent('download');
    await press(page, 'Export all submissions');
    const file = await readFile(await (await download).path(), 'utf8');
    assert.ok(file.startsWith('\uFEFFsubmission:id,submission:received_at'));
    assert.ok(file.includes(',1,=1+1,\r\n'));
    await page.getByLabel('Held').selectOption('only');
    await page.getByText('No submission matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all submissions' }).click();
    await page.getByText('3 submissions').waitFor();
  });

  test('submissions are searched, filtered by an answer, counted by choice and read one after the other', async (t) => {
    const session = { label: 'session', type: 'text', is_required: false, options: ['Morning', 'Evening'] };
    const more = ['one', 'two', 'three', 'four'].map((label) => ({ ...EMAIL, label, type: 'text' }));
    const fields = [NAME_FIELD, session, ...more];
    const path = await publishTestForm(service, { title: 'Sessions', fields });
    const answers = ['Ada', 'Bea', 'Cleo', 'Dora'].map((full_name, index) => ({
      ...{ full_name, session: index === 1 ? 'Evening' : 'Morning', four: `Seat ${index}` },
    }));
    await insertTestSubmissions(service, path, { answers });
    const { page } = await visit(t, `${LIST}/${toId(path)}/submissions`, { viewport: WIDE });
    const names = page.getByRole('table', { name: 'Submissions', exact: true }).locator('.main-cell');
    await page.getByText('4 submissions').waitFor();
    await page.locator('summary').filter({ hasText: 'Totals per choice' }).click();
    const totals = page.getByRole('table', { name: 'session' });
    await totals.getByRole('row', { name: 'Morning 3 75 %' }).waitFor();
    await page.locator('summary').getByText('Answer', { exact: true }).click();
    await page.getByLabel('Question').selectOption('session');
    await page.getByLabel('Answer, exactly').selectOption('Morning');
    await page.getByText('3 submissions').first().waitFor();
    await page.getByRole('link', { name: 'session Morning' }).waitFor();
    await totals.getByRole('row', { name: 'Morning 3 100 %' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('summary').getByText('Columns').click();
    for (const label of ['one', 'two', 'session']) await page.getByLabel(label, { exact: true }).uncheck();
    await page.getByLabel('four').check();
    await page.getByRole('columnheader', { name: 'four' }).waitFor();
    await page.getByText('Seat 3').waitFor();
    await page.keyboard.press('Escape');
    await checkView(page);
    await page.reload();
    await page.getByText('Seat 3').waitFor();
    await page.getByRole('link', { name: 'Cleo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cleo' }).waitFor();
    await checkView(page);
    await page.getByRole('link', { name: 'Older submission' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Older submission' }).count(), 0);
    await page.getByRole('link', { name: 'submissions of Sessions' }).click();
    await page.getByText('Seat 3').waitFor();
    await page.getByRole('searchbox', { name: 'Search submissions' }).fill('seat 2');
    await page.getByText('1 submission', { exact: true }).waitFor();
    assert.deepEqual(await names.allInnerTexts(), ['Cleo']);
    await page.getByRole('link', { name: 'Clear', exact: true }).click();
    await page.getByText('4 submissions').waitFor();
  });

  test('a submission is shown with the questions that it answered, and what has changed since', async (t) => {
    const fields = [NAME_FIELD, { label: 'day', title: 'Day', type: 'date', is_required: false }, NOTE];
    const path = await publishTestForm(service, { title: 'Versions', fields });
    const answers = { full_name: 'Ada', day: '2026-12-12', note: 'One\nTwo' };
    await insertTestSubmissions(service, path, { answers: [answers] });
    await publishNextVersion(service, path, { title: 'Versions', fields: [NAME_FIELD, NOTE, EMAIL] });
    const { page } = await visit(t, `${LIST}/${toId(path)}/submissions`);
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
    await page.getByText('version 1, as they were asked').waitFor();
    await page.getByText('email (added), Day (removed)').waitFor();
    await page.getByText('Saturday, December 12, 2026').waitFor();
    await page.getByText('Removed since').waitFor();
    await checkView(page);
    await press(page, 'Delete…');
    await confirm(page, 'Delete 1 submission');
    await page.getByText('Nobody has sent it yet.').waitFor();
  });

  test('a form is shared by its address, a frame and HTML of the operator', async (t) => {
    const path = await publishTestForm(service, { title: 'Shared', fields: [NAME_FIELD, EMAIL] });
    const { page } = await visit(t, `${LIST}/${toId(path)}/share`);
    await page.getByText('No page of yours may embed the form').waitFor();
    const link = page.getByRole('link', { name: 'Open the page' });
    assert.equal(await link.getAttribute('href'), `${service.service.url}/f/${toId(path)}`);
    assert.match(
      await page.getByRole('group', { name: 'Inside a page of yours' }).innerText(),
      /<iframe src=/,
    );
    assert.match(await page.getByRole('group', { name: 'HTML of your own' }).innerText(), /name="full_name"/);
    await checkView(page);
  });

  test('forms are read-only without forms:write, without submissions and section for those who may not see them', async (t) => {
    const path = await publishTestForm(service, { title: 'Read' });
    const { page } = await visit(t, `${LIST}/${toId(path)}`, { role: 'auditor' });
    await page.getByText('text, required').waitFor();
    assert.deepEqual(await page.locator('.tabs > a').allInnerTexts(), ['Fields', 'Settings', 'Share']);
    await checkView(page);
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('Maximum of submissions').waitFor();
    assert.equal(await page.locator('main :is(input, select, button.primary, button.danger)').count(), 0);
    await checkView(page);
    await page.goto(`${LIST}/${toId(path)}/submissions`);
    await page.getByText('it lacks submissions:read').waitFor();
    await page.context().clearCookies();
    const other = await visit(t, LIST, { role: 'support' });
    await other.page.getByText('it lacks forms:read').waitFor();
    assert.equal(await other.page.getByRole('navigation').getByText('Forms').count(), 0);
  });
});
