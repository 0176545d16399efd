/** The pages that send another link, and those to which the forms of links lead, which can be reloaded. */
import { isDelivered } from '../../mail/settings.ts';
import { requestLink } from '../../people/accounts/request-link.ts';
import type { TextKey } from '../../texts/language-file.ts';
import { REQUEST_PATHS } from '../hosted/notices.ts';
import type { HostedPage, PageContext } from '../hosted/page.ts';
import { createForm } from '../hosted/page-forms.ts';
import type { PageGroup, PageRoute } from '../hosted/page-routes.ts';
import { isToConsole, toDestination } from '../hosted/way.ts';
import { DONE, type LinkPageDeps, PASSWORD_SET } from './link-pages.ts';

const LINK_REQUESTED = '/account/link-requested';

const OUTCOMES = {
  [PASSWORD_SET]: 'page.outcome.password_set',
  [DONE.verify_email]: 'page.outcome.email_verified',
  [DONE.change_email]: 'page.outcome.email_changed',
  [LINK_REQUESTED]: 'page.outcome.link_requested',
} as const;

/** Other texts for somebody who is signed in. */
const SIGNED_IN: Readonly<Partial<Record<string, TextKey>>> = {
  [PASSWORD_SET]: 'page.outcome.password_set.signed_in',
  [DONE.verify_email]: 'page.outcome.email_verified.signed_in',
};

export function outcomePages({ settings, signInSessions, mail }: LinkPageDeps): PageGroup {
  const routes = Object.entries(OUTCOMES).map(
    ([path, outcome]): PageRoute => ({
      path,
      async get(context, { headers }) {
        const { text } = context.texts;
        const isRequest = path === LINK_REQUESTED;
        const key = isRequest && !isDelivered(mail) ? 'page.outcome.mail_off' : outcome;
        const { hostedPages, appUrl } = settings.current;
        const canGoOn = !isRequest && hostedPages;
        const isSignedIn = canGoOn && (await signInSessions.find(headers)) !== undefined;
        const isEnd = canGoOn && (context.redirectTo ?? context.target ?? appUrl) === null;
        const page: HostedPage = {
          tone: isRequest ? 'mail' : 'good',
          title: text(`${key}.title`),
          paragraphs: [text((isSignedIn && SIGNED_IN[path]) || `${key}.text`)],
          links: toLinks(context, { isSignedIn, isEnd }),
          // After a request for a link, the next step is in the mail program.
          isDone: !isRequest,
        };
        return { page };
      },
    }),
  );
  return { routes };
}

/** The link of an invitation leads to the console, with or without a session. `isEnd`: whether no application follows. */
function toLinks(context: PageContext, { isSignedIn, isEnd }: { isSignedIn: boolean; isEnd: boolean }) {
  const { text } = context.texts;
  if (isToConsole(context))
    return [{ href: toDestination(context), label: text('people.account.console'), isMain: true }];
  if (isSignedIn) return [{ href: context.toUrl('/account'), label: text('people.sign_in.go_on') }];
  return isEnd ? [{ href: context.toUrl('/sign-in'), label: text('people.sign_in.action') }] : [];
}

const REQUESTS = {
  reset_password: { text: 'page.request_reset', limits: ['password-reset'] },
  verify_email: { text: 'page.request_verification', limits: ['email-verification'] },
} as const;

/** The page that sends another link. The outcome is the same whether or not the address has an account. */
export function requestLinkPages(deps: LinkPageDeps, kind: keyof typeof REQUESTS): PageGroup {
  const path = REQUEST_PATHS[kind];
  const { text: key, limits } = REQUESTS[kind];
  return {
    async show(context, _request, problem) {
      if (problem !== undefined && problem.code !== 'validation_failed') throw problem;
      const { text } = context.texts;
      // An account without a password gets another link to claim it.
      const isForPassword = kind === 'reset_password' && deps.settings.current.passwordSignIn;
      return {
        title: text(isForPassword ? 'page.request_reset.title' : 'page.request_verification.title'),
        paragraphs: [text(`${key}.text`)],
        forms: [
          createForm(context, {
            ...{ path: null, label: text('page.email.action'), fields: ['email'], isMain: true },
          }),
        ],
      };
    },
    routes: [
      { path },
      {
        ...{ path, fields: ['email'], config: { limits }, isFromAnywhere: true },
        async send({ toUrl, redirectTo, returnTo }, { body }) {
          const { email } = body as { readonly email: string };
          await requestLink(deps, { kind, email, redirectTo, returnTo, isForm: true });
          return { url: toUrl(LINK_REQUESTED) };
        },
      },
    ],
  };
}
