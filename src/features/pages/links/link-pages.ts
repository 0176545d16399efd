/** The pages that links in messages lead to. Opening one changes nothing; the step is the POST of its form. */
import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import { isDelivered } from '../../mail/settings.ts';
import { confirmEmail, findEmailToConfirm } from '../../people/accounts/confirm-email.ts';
import { requestLink } from '../../people/accounts/request-link.ts';
import { checkPasswordLink, resetPassword } from '../../people/accounts/reset-password.ts';
import { linkTokenSchema } from '../../people/accounts/schemas.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { passGate } from '../../people/sign-in/gate.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import { REQUEST_PATHS } from '../hosted/notices.ts';
import type { HostedPage, PageContext, PageDeps } from '../hosted/page.ts';
import { createForm } from '../hosted/page-forms.ts';
import type { PageGroup, PageRoute } from '../hosted/page-routes.ts';

export interface LinkPageDeps extends AccountDeps, Omit<PageDeps, keyof AccountDeps> {
  readonly signInSessions: SignInSessions;
}

type PasswordKind = 'reset_password' | 'claim_account';

/** The page of a link that sets a password. */
export function passwordPages(deps: LinkPageDeps, kind: PasswordKind): PageGroup {
  const route = { path: `${LINK_PATHS[kind]}:token`, params: linkTokenSchema };
  return {
    link: kind,
    async show(context, request, problem) {
      if (problem === undefined) await checkPasswordLink(deps, readToken(request));
      else if (problem.code !== 'validation_failed') throw problem;
      return toPasswordPage(context, kind);
    },
    routes: [
      route,
      {
        ...{ ...route, fields: ['password'], config: { limits: ['password-reset'] }, isFromAnywhere: true },
        async send({ toUrl }, request) {
          const { password } = request.body as { readonly password: string };
          const given = { token: readToken(request), password, clientIp: request.clientIp };
          const cookies: string[] = [];
          await resetPassword(deps, given, async (tx, userId) => {
            cookies.push(...(await signIn(deps, tx, { userId, request })));
          });
          return { url: toUrl(PASSWORD_SET), cookies };
        },
      },
    ],
  };
}

const readToken = ({ params }: FastifyRequest) => (params as { readonly token: string }).token;

/** A rejected password is not shown again. */
export function toPasswordPage(context: PageContext, kind: PasswordKind): HostedPage {
  const { text } = context.texts;
  return {
    title: text(`page.${kind}.title`),
    paragraphs: [text(`page.${kind}.text`)],
    forms: [
      createForm(context, {
        ...{ path: null, label: text('page.password.action'), fields: ['password'], isMain: true },
      }),
    ],
  };
}

/**
 * Signs the browser in that has set the password, and returns the cookie: none if the person has a second factor, or
 * another site has sent the form, perhaps with the link of somebody else.
 */
async function signIn(
  deps: LinkPageDeps,
  tx: Tx,
  { userId, request }: { readonly userId: string; readonly request: FastifyRequest },
): Promise<string[]> {
  const { settings, publicUrl, loginGuard, signInSessions } = deps;
  const { headers, clientIp } = request;
  if (!settings.current.hostedPages || !isSameOrigin(headers, publicUrl)) return [];
  const network = loginGuard.hashNetwork(clientIp);
  const passed = await passGate(deps, tx, { userId, amr: ['email', 'pwd'], network });
  if (passed === null || 'challenge' in passed) return [];
  return [(await signInSessions.start(tx, passed.admitted, headers)).cookie];
}

const CONFIRMED = { verified: '/account/email-verified', changed: '/account/email-changed' } as const;

/** The page of a link that confirms an email. */
export function confirmEmailPages(deps: LinkPageDeps, kind: 'verify_email' | 'change_email'): PageGroup {
  const route = { path: `${LINK_PATHS[kind]}:token`, params: linkTokenSchema };
  return {
    link: kind,
    async show(context, request, problem) {
      if (problem !== undefined) throw problem;
      const { text } = context.texts;
      return {
        title: text(`page.${kind}.title`),
        about: await findEmailToConfirm(deps, readToken(request)),
        paragraphs: [text(`page.${kind}.text`)],
        forms: [
          createForm(context, { path: null, label: text(`page.${kind}.action`), fields: [], isMain: true }),
        ],
      };
    },
    routes: [
      route,
      {
        ...{ ...route, fields: [], isFromAnywhere: true },
        send: async ({ toUrl }, request) => ({
          url: toUrl(CONFIRMED[await confirmEmail(deps, readToken(request))]),
        }),
      },
    ],
  };
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
      return {
        title: text(`${key}.title`),
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
        async send({ toUrl, redirectTo }, { body }) {
          const { email } = body as { readonly email: string };
          await requestLink(deps, { kind, email, redirectTo });
          return { url: toUrl(LINK_REQUESTED) };
        },
      },
    ],
  };
}

const PASSWORD_SET = '/account/password-set';
const LINK_REQUESTED = '/account/link-requested';

const OUTCOMES = {
  [PASSWORD_SET]: 'page.outcome.password_set',
  [CONFIRMED.verified]: 'page.outcome.email_verified',
  [CONFIRMED.changed]: 'page.outcome.email_changed',
  [LINK_REQUESTED]: 'page.outcome.link_requested',
} as const;

/** The pages to which forms lead, which can be reloaded. */
export function outcomePages({ settings, signInSessions, mail }: LinkPageDeps): PageGroup {
  const routes = Object.entries(OUTCOMES).map(
    ([path, outcome]): PageRoute => ({
      path,
      async get({ texts: { text }, basePath }, { headers }) {
        const isRequest = path === LINK_REQUESTED;
        const key = isRequest && !isDelivered(mail) ? 'page.outcome.mail_off' : outcome;
        const canGoOn = path === PASSWORD_SET && settings.current.hostedPages;
        const isSignedIn = canGoOn && (await signInSessions.find(headers)) !== undefined;
        const page: HostedPage = {
          tone: isRequest ? 'mail' : 'good',
          title: text(`${key}.title`),
          paragraphs: [text(isSignedIn ? 'page.outcome.password_set.signed_in' : `${key}.text`)],
          links: isSignedIn ? [{ href: `${basePath}/account`, label: text('people.sign_in.go_on') }] : [],
          // After a request for a link, the next step is in the mail program.
          isDone: !isRequest,
        };
        return { page };
      },
    }),
  );
  return { routes };
}
