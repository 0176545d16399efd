/** Forms of pages that are sent twice, with a response that takes its time. */
import assert from 'node:assert/strict';
import { LINK_PATHS } from '../../../src/features/mail/links/links.ts';
import type { LinkKind } from '../../../src/features/mail/links/queries.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { listSubmissions, publishPage } from '../form-pages.ts';
import { NAME_FIELD } from '../forms.ts';
import { readMailedCodes } from '../mailed-codes.ts';
import { createTestLink, listEvents } from '../processes/recovery.ts';
import { newUserData, type TestService } from '../service.ts';
import { codeAt, STEP_MS } from '../totp.ts';
import { until } from '../until.ts';
import { registerWithTotp } from '../user-totp.ts';
import { createUnclaimedUser, register } from '../users.ts';
import { NEW_PASSWORD } from './link-pages.ts';
import type { PersonPage } from './person-pages.ts';

const BUTTON = 'main form:first-of-type button:not([type], [formaction])';

export interface FormService {
  readonly service: TestService;
  /** That of the service, which stands still: codes do not expire meanwhile. */
  readonly clock: Clock;
  /** Where the browser finds the service. */
  readonly url: string;
}

interface OpenedForm {
  readonly fields: Readonly<Record<string, string>>;
  /** The heading of what the form leads to. */
  readonly outcome: string;
  /** Returns what the form has done, once for each time. */
  readonly listEffects: () => Promise<readonly string[]>;
}

type OpenForm = (page: PersonPage, options: FormService) => Promise<OpenedForm>;

/** Returns what lists the events of a user whose lines begin like this. */
const listing = (service: TestService, userId: string, event: string) => async () =>
  (await listEvents(service, userId)).filter((each) => each.startsWith(event));

const PASSWORD = { '[name=password]': NEW_PASSWORD };

const LINKS: readonly (readonly [
  does: string,
  kind: LinkKind,
  event: string,
  outcome: string,
  fields: OpenedForm['fields'],
])[] = [
  ['resets a password', 'reset_password', 'password.reset', 'Your password is set', PASSWORD],
  ['claims an account', 'claim_account', 'user.claimed', 'Your password is set', PASSWORD],
  ['verifies an address', 'verify_email', 'email.verified', 'Your email address is verified', {}],
  ['changes an address', 'change_email', 'email.changed', 'Your email address is changed', {}],
];

const toLinkForm = ([does, kind, event, outcome, fields]: (typeof LINKS)[number]): [string, OpenForm] => [
  `a link that ${does}`,
  async (page, { service, clock, url }) => {
    const user = kind === 'claim_account' ? await createUnclaimedUser(service) : await register(service);
    const email = kind === 'change_email' ? newUserData().email : user.email;
    const token = await createTestLink(service, kind, { user: { id: user.id, email }, now: clock() });
    await page.open(url + LINK_PATHS[kind] + token);
    return { fields, outcome, listEffects: listing(service, user.id, event) };
  },
];

export const FORMS: Readonly<Record<string, OpenForm>> = {
  'the second step of a sign-in': async (page, { service, clock, url }) => {
    const { id, email, password, appSecret } = await registerWithTotp(service, clock() - STEP_MS);
    await page.open(`${url}/sign-in`);
    await page.fill('[name=email]', email);
    await page.fill('[name=current_password]', password);
    await page.click(BUTTON, 1);
    await waitForHeading(page, 'Enter the code of your app');
    const listEffects = listing(service, id, 'session.created');
    return { fields: { '[name=code]': codeAt(appSecret, clock()) }, outcome: 'Your account', listEffects };
  },
  'the code of a sign-in': async (page, { service, url }) => {
    const { id, email } = await register(service);
    await page.open(`${url}/sign-in`);
    await page.fill('[name=email]', email);
    await page.click('main form button[formaction]', 1);
    await waitForHeading(page, 'Check your email');
    const [code] = await readMailedCodes(service, email);
    const listEffects = listing(service, id, 'session.created');
    return { fields: { '[name=mail_code]': code! }, outcome: 'Your account', listEffects };
  },
  ...Object.fromEntries(LINKS.map(toLinkForm)),
  'a form': async (page, { service, url }) => {
    const form = await publishPage(service, { fields: [NAME_FIELD] });
    await page.open(url + form.page);
    const listEffects = () => listSubmissions(service, form.api, '?held=include');
    return { fields: { 'input[name=full_name]': 'Ada' }, outcome: 'Thank you', listEffects };
  },
};

export const PRESSES: Readonly<
  Record<string, (page: PersonPage, lastField: string | undefined) => Promise<void>>
> = {
  'a double click': (page) => page.click(BUTTON, 2),
  'Enter twice': (page, lastField) => page.pressEnter(lastField ?? BUTTON, 2),
};

/** Sends a form twice, loads what follows again, goes back and sends it again: it acts once, and leads to one page. */
export async function sendTwice(
  page: PersonPage,
  options: FormService,
  { openForm, press }: { readonly openForm: OpenForm; readonly press: string },
): Promise<void> {
  const { fields, outcome, listEffects } = await openForm(page, options);
  const fill = async () => {
    for (const [selector, text] of Object.entries(fields)) await page.fill(selector, text);
  };
  const form = await page.readHeading();
  await fill();
  await PRESSES[press]!(page, Object.keys(fields).at(-1));
  await waitForHeading(page, outcome);
  await page.reload();
  await waitForHeading(page, outcome);
  await page.goBack();
  if ((await page.readHeading()) === form) {
    await fill();
    await page.click(BUTTON, 1);
  }
  await waitForHeading(page, outcome);
  assert.equal((await listEffects()).length, 1);
}

async function waitForHeading(page: PersonPage, expected: string): Promise<void> {
  let heading = '';
  const isShown = async () => {
    heading = await page.readHeading();
    return heading === expected;
  };
  await until(isShown, `the heading ${expected}`).catch(() => assert.equal(heading, expected));
}
