/** The pages on which an authenticator app is set up, its recovery codes are kept, and a passkey is made. */
import { renderSVG } from 'uqr';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { Outcome, PageRoute } from '../../pages/hosted/page-routes.ts';
import { NOT_CACHED } from '../../people/tokens/token-responses.ts';
import { CODES, type HostedPageDeps, TWO_STEP } from './hosted-pages.ts';
import { NEW_PASSKEY, toNewPasskeyPage } from './passkey-section.ts';
import type { OwnSession } from './profile-section.ts';

type ShowOwn = (context: PageContext, session: OwnSession) => Promise<Outcome | null>;

/** Pages of what a session is shown for some minutes; afterwards, they lead to the account. */
export function twoStepRoutes(deps: HostedPageDeps): PageRoute[] {
  const toRoute = (path: string, show: ShowOwn): PageRoute => ({
    ...{ path, config: {} },
    async get(context, { headers }) {
      const session = await deps.signInSessions.find(headers);
      if (session === undefined) return { url: context.toUrl('/sign-in', { return_to: path }) };
      return (await show(context, session)) ?? { url: context.toUrl('/account') };
    },
  });
  const showCodes = (show: (context: PageContext, codes: readonly string[]) => Outcome) =>
    (async (context, session) => {
      const { codes } = await deps.shownOnce.find(session);
      return codes === undefined || session.user.totp_enabled_at === null ? null : show(context, codes);
    }) satisfies ShowOwn;
  const showPage = (show: typeof toSetUpPage) =>
    (async (context, session) => {
      const page = await show(deps, context, session);
      return page && { page };
    }) satisfies ShowOwn;
  return [
    toRoute(TWO_STEP, showPage(toSetUpPage)),
    toRoute(NEW_PASSKEY, showPage(toNewPasskeyPage)),
    toRoute(CODES, showCodes(toCodesPage)),
    toRoute(`${CODES}/download`, showCodes(toCodesFile)),
  ];
}

/** Returns the page on which an app is set up; null if the session has begun no set-up, or some time ago. */
export async function toSetUpPage(
  { shownOnce }: HostedPageDeps,
  context: PageContext,
  session: OwnSession,
): Promise<HostedPage | null> {
  const { enrolment } = await shownOnce.find(session);
  if (enrolment === undefined || session.user.totp_enabled_at !== null) return null;
  const { text } = context.texts;
  const title = text('people.two_step.title_begin');
  const form = { path: `${TWO_STEP}/confirm`, label: title, fields: ['code'], isMain: true } as const;
  return {
    title,
    paragraphs: [text('people.two_step.scan')],
    qr: renderSVG(enrolment.uri, { border: 4 }),
    secret: enrolment.secret.replace(/.{4}(?=.)/g, '$& '),
    forms: [createForm(context, { ...form, appCodeLabel: text('people.two_step.code') })],
    links: [{ href: context.toUrl('/account'), label: text('people.account.back') }],
  };
}

function toCodesPage(context: PageContext, codes: readonly string[]): Outcome {
  const { text } = context.texts;
  const form = {
    path: `${CODES}/saved`,
    label: text('people.codes.saved'),
    fields: [],
    isMain: true,
  } as const;
  const page = {
    title: text('people.codes.title'),
    paragraphs: [text('people.codes.text')],
    codes,
    downloadUrl: context.toUrl(`${CODES}/download`),
    forms: [createForm(context, form)],
  };
  return { page };
}

/** Returns the codes as a text file, which also browsers without scripts save. */
function toCodesFile(_context: PageContext, codes: readonly string[]): Outcome {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'attachment; filename="recovery-codes.txt"',
    ...NOT_CACHED,
  };
  return { body: `${codes.join('\r\n')}\r\n`, headers };
}
