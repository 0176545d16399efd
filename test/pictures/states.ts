/** States of the pages of which there are pictures. */
import type { Page } from 'playwright-core';
import { waitForFocus } from '../support/browser/keyboard.ts';
import type { PictureService } from '../support/browser/picture-service.ts';

interface PictureState {
  readonly isSignedOut?: boolean;
  readonly getPath: (shown: PictureService) => string;
  /** Waits until the page is loaded, and brings it into the state. Changes nothing that is stored. */
  readonly open?: (page: Page) => Promise<unknown>;
}

type Path = string | ((shown: PictureService) => string);
const inside = (path: Path, open?: PictureState['open']): PictureState => ({
  getPath: typeof path === 'string' ? () => path : path,
  ...(open && { open }),
});
const outside: typeof inside = (...state) => ({ ...inside(...state), isSignedOut: true });
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
  'sign-in': outside('/console', (page) => page.getByLabel('ADMIN_TOKEN').waitFor()),
  'overview-steps': inside('/console/users', async (page) => {
    await page.addInitScript(showNoUsers);
    await page.goto('/console');
    await page.getByText('Welcome.').waitFor();
    await waitForOverview(page);
  }),
  // Hides the first steps for this state and the following ones.
  overview: inside('/console', async (page) => {
    await press(page, 'Hide');
    await waitForOverview(page);
    await page.locator('.alert').first().waitFor();
  }),
  'overview-sign-ups': inside('/console?sign_ups=2026-11-19', async (page) => {
    await waitForOverview(page);
    await page.getByText('14 users of this day.').waitFor();
  }),
  'events-by': inside('/console/events?to=2026-11-20T14:20:00.000Z', async (page) => {
    await waitForRows(page);
    await page.locator('summary', { hasText: 'By' }).click();
    await page.getByRole('heading', { name: 'Credentials' }).waitFor();
  }),
  'reference-operation': inside('/docs#createUser', (page) =>
    page.getByText('You are signed in as').waitFor({ state: 'attached' }),
  ),
  'overview-failed': inside('/console/forms?view=check', async (page) => {
    await failing(page);
    await page.goto('/console');
    await page.getByRole('alert').nth(3).waitFor();
  }),
  users: inside('/console/users', async (page) => {
    await waitForRows(page);
    await page.getByText('users in total').waitFor();
  }),
  'users-selected': inside('/console/users', async (page) => {
    await waitForRows(page);
    await page.getByText('users in total').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: /^Select all \d+ users/ }).waitFor();
  }),
  'users-all-disable': inside('/console/users', async (page) => {
    await waitForRows(page);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await press(page, /^Select all/);
    await page.getByText('240 selected:').waitFor();
    await inDialog(page, 'Disable');
  }),
  'users-progress': inside('/console/users', async (page) => {
    await holdBatches(page);
    await disableOnePage(page);
    await page.getByRole('progressbar').waitFor();
  }),
  'users-failures': inside('/console/users', async (page) => {
    await page.route('**/api/v1/users/batch', (route) => route.abort('internetdisconnected'));
    await disableOnePage(page);
    await page.getByRole('button', { name: 'Retry failed users' }).waitFor();
  }),
  'users-filtered': inside(
    '/console/users?state=disabled&created_from=2026-09-20&created_to=2026-11-20&verified=false',
    (page) => page.locator('.chip').nth(3).waitFor(),
  ),
  'users-empty': inside('/console/users?search=nobody', (page) =>
    page.getByText('No name or email contains').waitFor(),
  ),
  'user-create': inside('/console/users', (page) => inDialog(page, 'Create user')),
  user: inside(
    ({ userIds }) => `/console/users/${userIds[7]}`,
    async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('tbody tr').first().waitFor();
      await page.locator('.timeline li, .records tr').nth(3).waitFor();
    },
  ),
  'user-tokens-selected': inside(
    ({ userIds }) => `/console/users/${userIds[7]}`,
    async (page) => {
      await page.getByLabel('Select all tokens').check();
      await page.getByText('selected:').waitFor();
      await page.locator('.bulk').getByRole('button', { name: 'Revoke…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ),
  'user-delete': inside(
    ({ userIds }) => `/console/users/${userIds[7]}`,
    async (page) => {
      await page.locator('summary', { hasText: 'More' }).click();
      await inDialog(page, 'Erase user…');
    },
  ),
  'user-merge': inside(
    ({ userIds }) => `/console/users/${userIds[7]}`,
    async (page) => {
      await page.locator('summary', { hasText: 'More' }).click();
      await inDialog(page, 'Merge…');
      await page.getByLabel('The other account of this person').fill('example');
      await page.getByRole('dialog').locator('.menu button').first().click();
      await page.getByRole('heading', { name: /^Merge .* into/ }).waitFor();
    },
  ),
  'user-missing': inside('/console/users/019aa1b2-0000-7000-8000-000000000000', (page) =>
    page.getByRole('heading', { level: 1 }).waitFor(),
  ),
  events: inside('/console/events?to=2026-11-20T14:20:00.000Z', waitForRows),
  'event-open': inside('/console/events?to=2026-11-20T14:20:00.000Z', async (page) => {
    await press(page, 'Sign-in failed: wrong password');
    await page.getByText('The password was wrong.').waitFor();
  }),
  webhooks: inside('/console/webhooks', (page) => page.locator('tbody tr').nth(1).waitFor()),
  'webhook-create': inside('/console/webhooks', (page) => inDialog(page, 'Create webhook')),
  webhook: inside(
    ({ webhookId }) => `/console/webhooks/${webhookId}`,
    async (page) => {
      await press(page, 'user.updated');
      await page.getByText('Attempt 1: 503').waitFor();
      await page.getByRole('group', { name: 'Headers' }).waitFor();
    },
  ),
  mail: inside('/console/mail', waitForRows),
  'mail-open': inside('/console/mail?state=failed', async (page) => {
    await page.locator('.fold-button').first().click();
    await page.getByText('The mail server knows no such mailbox.').waitFor();
    await page.getByText('Links are masked').waitFor();
  }),
  forms: inside('/console/forms', waitForRows),
  form: inside(atForm(), (page) => pickField(page, 'Session')),
  'form-error': inside(atForm(), async (page) => {
    await pickField(page, 'Number of people');
    await page.getByLabel('Minimum').fill('one');
    await press(page, 'Save');
    await page.getByText('Not saved, see Number of people.').waitFor();
    await waitForFocus(page, '[aria-invalid=true]');
  }),
  'form-lifted': inside(atForm(), async (page) => {
    await page.getByRole('button', { name: /^Move Day/ }).press('Space');
    await page.getByText('is lifted').waitFor();
  }),
  'form-publish': inside(atForm(), async (page) => {
    await inDialog(page, 'Publish…');
    await page.getByText('earlier answers stay').waitFor();
  }),
  'form-settings': inside(atForm('/settings'), (page) => page.getByLabel('Who can submit').waitFor()),
  'form-delete': inside(atForm('/settings'), (page) => inDialog(page, 'Delete form…')),
  'form-share': inside(atForm('/share'), (page) => page.getByText('HTML of your own').first().waitFor()),
  submissions: inside(atForm('/submissions'), async (page) => {
    await waitForRows(page);
    await page.getByText('Wait for a decision.').click();
    await page.getByText('Best Prices Now').waitFor();
  }),
  'submissions-export': inside(atForm('/submissions?held=only'), async (page) => {
    await page.getByText('Best Prices Now').waitFor();
    await page.getByText('Export', { exact: true }).click();
  }),
  submission: inside(
    ({ forms }) => `/console/forms/${forms.openLab}/submissions/${forms.submission}`,
    (page) => page.getByText('Removed since').waitFor(),
  ),
  groups: inside('/console/groups', waitForRows),
  'groups-empty': inside('/console/groups', async (page) => {
    await answerWithNone(page, '**/api/v1/groups');
    await page.goto('/console/groups');
    await page.getByText('No groups yet').waitFor();
  }),
  group: inside(({ groupId }) => `/console/groups/${groupId}`, waitForRows),
  'group-add': inside(
    ({ groupId }) => `/console/groups/${groupId}`,
    async (page) => {
      await waitForRows(page);
      await inDialog(page, 'Add people');
      await page.getByRole('dialog').getByLabel('Name or email').fill('thandiwe');
      await page.getByRole('dialog').getByRole('button', { name: 'Thandiwe' }).first().waitFor();
    },
  ),
  applications: inside('/console/applications', (page) => page.locator('tbody tr').nth(1).waitFor()),
  'application-create': inside('/console/applications', (page) => inDialog(page, 'Create application')),
  application: inside(
    ({ applicationId }) => `/console/applications/${applicationId}`,
    (page) => page.getByText('clientSecret').waitFor(),
  ),
  'application-delete': inside(
    ({ applicationId }) => `/console/applications/${applicationId}`,
    (page) => inDialog(page, /^Delete/),
  ),
  'sign-in-settings': inside('/console/sign-in', async (page) => {
    await page.getByText('HOSTED_PAGES').waitFor();
    await press(page, 'Example University');
    await page.getByText('/sign-in/callback/').waitFor();
  }),
  'provider-add': inside('/console/sign-in', (page) => inDialog(page, 'Add provider')),
  credentials: inside('/console/credentials', waitForRows),
  'credentials-empty': inside('/console/forms?view=check', async (page) => {
    await answerWithNone(page, '**/api/v1/credentials');
    await page.goto('/console/credentials');
    await page.getByText('There are no named credentials yet.').waitFor();
  }),
  'credential-create': inside('/console/credentials', (page) => inDialog(page, 'Create credential')),
  settings: inside('/console/settings', async (page) => {
    await page.getByText('checks found nothing wrong').waitFor();
    await page.getByText('LOG_LEVEL', { exact: true }).waitFor();
  }),
  brand: inside('/console/brand', async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('Hopper Labs');
    await page.getByLabel('Colour', { exact: true }).fill('#0b7a53');
    await page.frameLocator('iframe').getByText('With your Hopper Labs account.').waitFor();
  }),
  'setting-numbers': inside('/console/settings', async (page) => {
    await page.getByText('checks found nothing wrong').waitFor();
    await page.getByLabel('Filter settings').fill('create');
    await press(page, 'Change Creation of user records');
    await press(page, 'Change New user records');
  }),
  'setting-change': inside('/console/settings', async (page) => {
    await page.getByText('checks found nothing wrong').waitFor();
    await page.getByLabel('Filter settings').fill('instance name');
    await press(page, 'Change Name of the service');
  }),
  'form-check': inside('/console/forms?view=check', (page) =>
    page.getByRole('heading', { level: 1 }).waitFor(),
  ),
  keys: inside('/console/forms?view=check', async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  }),
  palette: inside('/console/forms?view=check', async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await waitForFocus(page, '[role=combobox]');
    await page.keyboard.type('grace');
    await page.getByText('grace.hopper@example.com').waitFor();
    await page.getByText('8 found.').waitFor();
  }),
  menu: inside('/console/forms?view=check', async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
  }),
  'not-found': inside(
    ({ webhookId }) => `/console/webhooks/${webhookId.replace(/.{4}$/, '0000')}`,
    (page) => page.locator('main :is(h1, [role=alert])').first().waitFor(),
  ),
  index: outside('/'),
  'document-console': outside('/docs/credentials'),
  'document-problems': outside('/docs/problems'),
  'document-search': outside('/docs/operations', async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('backup');
    await page.locator('.search-dialog .excerpt mark').first().waitFor();
  }),
  reference: outside('/docs', (page) => page.locator('#register').waitFor()),
  'account-reset': outside('/account/reset-password'),
  'account-reset-invalid': outside(`/account/reset-password/${'a'.repeat(43)}`),
  'account-verify': outside('/account/verify-email'),
  'account-password-set': outside('/account/password-set'),
};
