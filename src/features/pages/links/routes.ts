/** The pages that links in mail lead to. Opening one changes nothing; the step is the POST of its form. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { formBodies } from '../../../plugins/bodies/form-bodies.ts';
import { isDelivered, type MailSettings } from '../../mail/settings.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import type { Texts } from '../../texts/texts.ts';
import { getBasePath } from '../assets/assets.ts';
import { DOCUMENT_ROUTE } from '../documents/documents.ts';
import { createPages, sendPage } from '../hosted/page.ts';
import { confirmEmailPages } from './confirm-email-pages.ts';
import { requestLinkPages } from './request-link-pages.ts';
import { setPasswordPages } from './set-password-pages.ts';
import { OUTCOMES, type PageDeps, type StepOutcome } from './step-route.ts';

export interface AccountPageDeps extends AccountDeps {
  readonly publicUrl: string;
  readonly texts: Texts;
  readonly mail: MailSettings;
  readonly signInSessions: SignInSessions;
}

export const accountPages: FeaturePlugin<AccountPageDeps> = async (app, deps) => {
  const basePath = getBasePath(deps.publicUrl);
  const pages = { ...deps, openPage: createPages({ ...deps, basePath }), basePath };
  // The text of pages and error pages depends on it (RFC 9110 section 12.5.5).
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('vary', `${reply.getHeader('vary')}, Accept-Language`);
    done();
  });
  await app.register(formBodies);
  await app.register(setPasswordPages, { ...pages, kind: 'reset_password' });
  await app.register(setPasswordPages, { ...pages, kind: 'claim_account' });
  await app.register(confirmEmailPages, { ...pages, kind: 'verify_email' });
  await app.register(confirmEmailPages, { ...pages, kind: 'change_email' });
  await app.register(requestLinkPages, { ...pages, kind: 'reset_password' });
  await app.register(requestLinkPages, { ...pages, kind: 'verify_email' });
  await app.register(outcomePages, pages);
};

const OUTCOME_TEXTS = {
  'password-set': 'page.outcome.password_set',
  'email-verified': 'page.outcome.email_verified',
  'email-changed': 'page.outcome.email_changed',
  'link-requested': 'page.outcome.link_requested',
} as const satisfies Record<StepOutcome, string>;

const outcomePages: FeaturePlugin<AccountPageDeps & PageDeps> = async (app, deps) => {
  const { openPage, basePath } = deps;
  for (const outcome of OUTCOMES) {
    app.get(`/account/${outcome}`, DOCUMENT_ROUTE, async (request, reply) => {
      const { texts, render } = await openPage(request);
      const isMailOff = outcome === 'link-requested' && !isDelivered(deps.mail);
      const key = isMailOff ? 'page.outcome.mail_off' : OUTCOME_TEXTS[outcome];
      const isSignedIn = outcome === 'password-set' && (await isOpenFor(deps, request.headers));
      const text = texts.text(isSignedIn ? 'page.outcome.password_set.signed_in' : `${key}.text`);
      const account = { href: `${basePath}/account`, label: texts.text('people.sign_in.go_on') };
      const notice = {
        ...{ title: texts.text(`${key}.title`), paragraphs: [text] },
        link: isSignedIn ? account : null,
      };
      // After a request for a link, the next step is in the mail program.
      const isDone = outcome !== 'link-requested';
      const frame = { status: 200, template: 'notice', tone: isDone ? 'good' : 'mail', isDone } as const;
      return sendPage(reply, render({ ...frame, ...notice, canRetry: false, newLinkUrl: null }));
    });
  }
};

/** Returns whether the browser is signed in, and the page of the account open. */
async function isOpenFor({ settings, signInSessions }: AccountPageDeps, headers: IncomingHttpHeaders) {
  return settings.current.hostedPages && (await signInSessions.find(headers)) !== undefined;
}
