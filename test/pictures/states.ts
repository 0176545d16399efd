/** States of the pages of which there are pictures. */
import type { Page } from 'playwright-core';
import { waitForFocus } from '../support/browser/keyboard.ts';
import type { PictureService } from '../support/browser/picture-service.ts';

interface PictureState {
  readonly isSignedOut?: boolean;
  readonly getPath: (shown: PictureService) => string;
  /** Waits until the page is loaded, and brings it into the state. Changes nothing that is stored. */
  readonly open?: (page: Page) => Promise<void>;
}

const at = (path: string) => () => path;
const atForm =
  (rest = '') =>
  ({ forms }: PictureService) =>
    `/console/forms/${forms.openLab}${rest}`;
const pickField = (page: Page, name: string) => page.locator('.pick').filter({ hasText: name }).click();
const waitForRows = (page: Page) => page.locator('.records tbody tr').nth(2).waitFor();
/** Runs in the page: the figures have no users. */
const showNoUsers = () => {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const response = await send(input, init);
    if (!String(input).endsWith('/dashboard')) return response;
    const body = await response.json();
    body.data.users.total = 0;
    return Response.json(body);
  };
};
const waitForOverview = async (page: Page) => {
  await page.getByText('Running since').waitFor();
  await waitForRows(page);
};
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const inDialog = async (page: Page, name: string | RegExp) => {
  await press(page, name);
  await page.getByRole('dialog').waitFor();
};
const failing = (page: Page) => page.route('**/api/v1/**', (route) => route.abort('internetdisconnected'));

/** Lets requests of a path find nothing. */
const answerWithNone = (page: Page, path: string) =>
  page.route(path, (route) => route.fulfill({ json: { message: 'None', data: [] } }));
/** Lets changes wait for ever. They are not sent: what is only held back would be sent when the page is closed. */
const holdBatches = (page: Page) =>
  page.evaluate(() => {
    const send = window.fetch;
    window.fetch = (input, init) =>
      String(input).endsWith('/batch') ? new Promise(() => {}) : send(input, init);
  });
const disableOnePage = async (page: Page) => {
  await waitForRows(page);
  await page.getByText('users in total').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await inDialog(page, 'Disable');
  await press(page, /^Disable \d+ users$/);
};

export const STATES: Readonly<Record<string, PictureState>> = {
  'sign-in': {
    isSignedOut: true,
    getPath: at('/console'),
    open: (page) => page.getByLabel('ADMIN_TOKEN').waitFor(),
  },
  'overview-steps': {
    getPath: at('/console/users'),
    async open(page) {
      await page.addInitScript(showNoUsers);
      await page.goto('/console');
      await page.getByText('Welcome.').waitFor();
      await waitForOverview(page);
    },
  },
  // Hides the first steps for this state and the following ones.
  overview: {
    getPath: at('/console'),
    async open(page) {
      await press(page, 'Hide');
      await waitForOverview(page);
      await page.locator('.alert').first().waitFor();
    },
  },
  'overview-sign-ups': {
    getPath: at('/console?sign_ups=2026-11-19'),
    async open(page) {
      await waitForOverview(page);
      await page.getByText('14 users of this day.').waitFor();
    },
  },
  'events-by': {
    getPath: at('/console/events?to=2026-11-20T14:20:00.000Z'),
    async open(page) {
      await waitForRows(page);
      await page.locator('summary', { hasText: 'By' }).click();
      await page.getByRole('heading', { name: 'Credentials' }).waitFor();
    },
  },
  'reference-operation': {
    getPath: at('/docs#createUser'),
    open: (page) => page.getByText('You are signed in as').waitFor({ state: 'attached' }),
  },
  'overview-failed': {
    getPath: at('/console/forms?view=check'),
    async open(page) {
      await failing(page);
      await page.goto('/console');
      await page.getByRole('alert').nth(3).waitFor();
    },
  },
  users: {
    getPath: at('/console/users'),
    async open(page) {
      await waitForRows(page);
      await page.getByText('users in total').waitFor();
    },
  },
  'users-selected': {
    getPath: at('/console/users'),
    async open(page) {
      await waitForRows(page);
      await page.getByText('users in total').waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: /^Select all \d+ users/ }).waitFor();
    },
  },
  'users-all-disable': {
    getPath: at('/console/users'),
    async open(page) {
      await waitForRows(page);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await press(page, /^Select all/);
      await page.getByText('240 selected:').waitFor();
      await inDialog(page, 'Disable');
    },
  },
  'users-progress': {
    getPath: at('/console/users'),
    async open(page) {
      await holdBatches(page);
      await disableOnePage(page);
      await page.getByRole('progressbar').waitFor();
    },
  },
  'users-failures': {
    getPath: at('/console/users'),
    async open(page) {
      await page.route('**/api/v1/users/batch', (route) => route.abort('internetdisconnected'));
      await disableOnePage(page);
      await page.getByRole('button', { name: 'Retry failed users' }).waitFor();
    },
  },
  'users-filtered': {
    getPath: at('/console/users?state=disabled&created_from=2026-09-20&created_to=2026-11-20&verified=false'),
    open: (page) => page.locator('.chip').nth(3).waitFor(),
  },
  'users-empty': {
    getPath: at('/console/users?search=nobody'),
    open: (page) => page.getByText('No name or email contains').waitFor(),
  },
  'user-create': { getPath: at('/console/users'), open: (page) => inDialog(page, 'Create user') },
  user: {
    getPath: ({ userIds }) => `/console/users/${userIds[7]}`,
    async open(page) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('tbody tr').first().waitFor();
      await page.locator('.timeline li, .records tr').nth(3).waitFor();
    },
  },
  'user-tokens-selected': {
    getPath: ({ userIds }) => `/console/users/${userIds[7]}`,
    async open(page) {
      await page.getByLabel('Select all tokens').check();
      await page.getByText('selected:').waitFor();
      await page.locator('.bulk').getByRole('button', { name: 'Revoke…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'user-delete': {
    getPath: ({ userIds }) => `/console/users/${userIds[7]}`,
    async open(page) {
      await page.locator('summary', { hasText: 'More' }).click();
      await inDialog(page, 'Erase user…');
    },
  },
  'user-merge': {
    getPath: ({ userIds }) => `/console/users/${userIds[7]}`,
    async open(page) {
      await page.locator('summary', { hasText: 'More' }).click();
      await inDialog(page, 'Merge…');
      await page.getByLabel('The other account of this person').fill('example');
      await page.getByRole('dialog').locator('.menu button').first().click();
      await page.getByRole('heading', { name: /^Merge .* into/ }).waitFor();
    },
  },
  'user-missing': {
    getPath: at('/console/users/019aa1b2-0000-7000-8000-000000000000'),
    open: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  events: { getPath: at('/console/events?to=2026-11-20T14:20:00.000Z'), open: waitForRows },
  'event-open': {
    getPath: at('/console/events?to=2026-11-20T14:20:00.000Z'),
    async open(page) {
      await press(page, 'Sign-in failed: wrong password');
      await page.getByText('The password was wrong.').waitFor();
    },
  },
  webhooks: {
    getPath: at('/console/webhooks'),
    open: (page) => page.locator('tbody tr').nth(1).waitFor(),
  },
  'webhook-create': { getPath: at('/console/webhooks'), open: (page) => inDialog(page, 'Create webhook') },
  webhook: {
    getPath: ({ webhookId }) => `/console/webhooks/${webhookId}`,
    open: async (page) => {
      await press(page, 'user.updated');
      await page.getByText('Attempt 1: 503').waitFor();
      await page.getByRole('group', { name: 'Headers' }).waitFor();
    },
  },
  mail: { getPath: at('/console/mail'), open: waitForRows },
  'mail-open': {
    getPath: at('/console/mail?state=failed'),
    async open(page) {
      await page.locator('.fold-button').first().click();
      await page.getByText('The mail server knows no such mailbox.').waitFor();
      await page.getByText('Links are masked').waitFor();
    },
  },
  forms: { getPath: at('/console/forms'), open: waitForRows },
  form: { getPath: atForm(), open: (page) => pickField(page, 'Session') },
  'form-error': {
    getPath: atForm(),
    async open(page) {
      await pickField(page, 'Number of people');
      await page.getByLabel('Minimum').fill('one');
      await press(page, 'Save');
      await page.getByText('Not saved, see Number of people.').waitFor();
      await waitForFocus(page, '[aria-invalid=true]');
    },
  },
  'form-lifted': {
    getPath: atForm(),
    async open(page) {
      await page.getByRole('button', { name: /^Move Day/ }).press('Space');
      await page.getByText('is lifted').waitFor();
    },
  },
  'form-publish': {
    getPath: atForm(),
    async open(page) {
      await inDialog(page, 'Publish…');
      await page.getByText('earlier answers stay').waitFor();
    },
  },
  'form-settings': {
    getPath: atForm('/settings'),
    open: (page) => page.getByLabel('Who can submit').waitFor(),
  },
  'form-delete': { getPath: atForm('/settings'), open: (page) => inDialog(page, 'Delete form…') },
  'form-share': {
    getPath: atForm('/share'),
    open: (page) => page.getByText('HTML of your own').first().waitFor(),
  },
  submissions: {
    getPath: atForm('/submissions'),
    async open(page) {
      await waitForRows(page);
      await page.getByText('Wait for a decision.').click();
      await page.getByText('Best Prices Now').waitFor();
    },
  },
  'submissions-export': {
    getPath: atForm('/submissions?held=only'),
    async open(page) {
      await page.getByText('Best Prices Now').waitFor();
      await page.getByText('Export', { exact: true }).click();
    },
  },
  submission: {
    getPath: ({ forms }) => `/console/forms/${forms.openLab}/submissions/${forms.submission}`,
    open: (page) => page.getByText('Removed since').waitFor(),
  },
  groups: { getPath: at('/console/groups'), open: waitForRows },
  'groups-empty': {
    getPath: at('/console/groups'),
    async open(page) {
      await answerWithNone(page, '**/api/v1/groups');
      await page.goto('/console/groups');
      await page.getByText('No groups yet').waitFor();
    },
  },
  group: { getPath: ({ groupId }) => `/console/groups/${groupId}`, open: waitForRows },
  'group-add': {
    getPath: ({ groupId }) => `/console/groups/${groupId}`,
    async open(page) {
      await waitForRows(page);
      await inDialog(page, 'Add people');
      await page.getByRole('dialog').getByLabel('Name or email').fill('thandiwe');
      await page.getByRole('dialog').getByRole('button', { name: 'Thandiwe' }).first().waitFor();
    },
  },
  applications: {
    getPath: at('/console/applications'),
    open: (page) => page.locator('tbody tr').nth(1).waitFor(),
  },
  'application-create': {
    getPath: at('/console/applications'),
    open: (page) => inDialog(page, 'Create application'),
  },
  application: {
    getPath: ({ applicationId }) => `/console/applications/${applicationId}`,
    open: (page) => page.getByText('clientSecret').waitFor(),
  },
  'application-delete': {
    getPath: ({ applicationId }) => `/console/applications/${applicationId}`,
    open: (page) => inDialog(page, /^Delete/),
  },
  'sign-in-settings': {
    getPath: at('/console/sign-in'),
    async open(page) {
      await page.getByText('HOSTED_PAGES').waitFor();
      await press(page, 'Example University');
      await page.getByText('/sign-in/callback/').waitFor();
    },
  },
  'provider-add': { getPath: at('/console/sign-in'), open: (page) => inDialog(page, 'Add provider') },
  credentials: { getPath: at('/console/credentials'), open: waitForRows },
  'credentials-empty': {
    getPath: at('/console/forms?view=check'),
    async open(page) {
      await answerWithNone(page, '**/api/v1/credentials');
      await page.goto('/console/credentials');
      await page.getByText('There are no named credentials yet.').waitFor();
    },
  },
  'credential-create': {
    getPath: at('/console/credentials'),
    open: (page) => inDialog(page, 'Create credential'),
  },
  settings: {
    getPath: at('/console/settings'),
    async open(page) {
      await page.getByText('checks found nothing wrong').waitFor();
      await page.getByText('LOG_LEVEL', { exact: true }).waitFor();
    },
  },
  brand: {
    getPath: at('/console/brand'),
    async open(page) {
      await page.getByLabel('Name', { exact: true }).fill('Hopper Labs');
      await page.getByLabel('Colour', { exact: true }).fill('#0b7a53');
      await page.frameLocator('iframe').getByText('With your Hopper Labs account.').waitFor();
    },
  },
  'setting-numbers': {
    getPath: at('/console/settings'),
    async open(page) {
      await page.getByText('checks found nothing wrong').waitFor();
      await page.getByLabel('Filter settings').fill('create');
      await press(page, 'Change Creation of user records');
      await press(page, 'Change New user records');
    },
  },
  'setting-change': {
    getPath: at('/console/settings'),
    async open(page) {
      await page.getByText('checks found nothing wrong').waitFor();
      await page.getByLabel('Filter settings').fill('instance name');
      await press(page, 'Change Name of the service');
    },
  },
  'form-check': {
    getPath: at('/console/forms?view=check'),
    open: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  keys: {
    getPath: at('/console/forms?view=check'),
    async open(page) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  palette: {
    getPath: at('/console/forms?view=check'),
    async open(page) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await waitForFocus(page, '[role=combobox]');
      await page.keyboard.type('grace');
      await page.getByText('grace.hopper@example.com').waitFor();
      await page.getByText('8 found.').waitFor();
    },
  },
  menu: {
    getPath: at('/console/forms?view=check'),
    async open(page) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
    },
  },
  'not-found': {
    getPath: ({ webhookId }) => `/console/webhooks/${webhookId.replace(/.{4}$/, '0000')}`,
    open: (page) => page.locator('main :is(h1, [role=alert])').first().waitFor(),
  },
  index: { isSignedOut: true, getPath: at('/') },
  'document-console': { isSignedOut: true, getPath: at('/docs/credentials') },
  'document-problems': { isSignedOut: true, getPath: at('/docs/problems') },
  'document-search': {
    isSignedOut: true,
    getPath: at('/docs/operations'),
    async open(page) {
      await page.keyboard.press('/');
      await page.keyboard.type('backup');
      await page.locator('.search-dialog .excerpt mark').first().waitFor();
    },
  },
  reference: {
    isSignedOut: true,
    getPath: at('/docs'),
    open: (page) => page.locator('#register').waitFor(),
  },
  'account-reset': { isSignedOut: true, getPath: at('/account/reset-password') },
  'account-reset-invalid': { isSignedOut: true, getPath: at(`/account/reset-password/${'a'.repeat(43)}`) },
  'account-verify': { isSignedOut: true, getPath: at('/account/verify-email') },
  'account-password-set': { isSignedOut: true, getPath: at('/account/password-set') },
};
