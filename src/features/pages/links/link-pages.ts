/** The pages that links in messages lead to. Opening one changes nothing; the step is the POST of its form. */

import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { Problem } from '../../../problems/problem.ts';
import { findUsedLink, LINK_PATHS } from '../../mail/links/links.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import { confirmEmail, findEmailToConfirm } from '../../people/accounts/confirm-email.ts';
import { checkPasswordLink, resetPassword } from '../../people/accounts/reset-password.ts';
import { linkTokenSchema } from '../../people/accounts/schemas.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { type Admitted, passGate } from '../../people/sign-in/gate.ts';
import { logIn } from '../../people/sign-in/log-in.ts';
import type { SignUpProof } from '../../people/sign-in/session-cookie.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import { hasEmail } from '../../users/records/rules.ts';
import type { HostedPage, PageContext, PageDeps } from '../hosted/page.ts';
import { createForm, formSchema } from '../hosted/page-forms.ts';
import type { PageGroup, PageRoute } from '../hosted/page-routes.ts';

export interface LinkPageDeps extends AccountDeps, Omit<PageDeps, keyof AccountDeps> {
  readonly signInSessions: SignInSessions;
  readonly signUpProof: SignUpProof;
}

type PasswordKind = 'reset_password' | 'claim_account';

const passwordForm = formSchema(['password']);
/** `ends`: the user whose session the form ends. */
const passwordBody = {
  ...passwordForm,
  properties: { ...passwordForm.properties, ends: { type: 'string' } },
};

/** The page of a link that sets a password. */
export function passwordPages(deps: LinkPageDeps, kind: PasswordKind): PageGroup {
  const route = { path: `${LINK_PATHS[kind]}:token`, params: linkTokenSchema };
  const show: Show = async (context, request, problem) => {
    if (problem !== undefined && problem.code !== 'validation_failed') throw problem;
    const username = await checkPasswordLink(deps, readToken(request));
    return toPasswordPage(context, kind, { username, other: await findOther(deps, request) });
  };
  return {
    ...{ link: kind, show },
    routes: [
      { ...route, get: openLink(deps, show) },
      {
        ...{ ...route, body: passwordBody, config: { limits: ['password-reset'] }, isFromAnywhere: true },
        async send(context, request) {
          const { password, ends } = request.body as { readonly password: string; readonly ends?: string };
          const given = { token: readToken(request), password, clientIp: request.clientIp };
          let cookie: string | null = null;
          try {
            const other = await findOther(deps, request);
            if (other !== undefined && other.userId !== ends)
              return { page: await show(context, request), status: 409 };
            await resetPassword(deps, given, async (tx, userId) => {
              cookie = await signIn(deps, tx, { userId, request });
              if (cookie === null && other !== undefined)
                cookie = await signOut(deps, tx, { other, request });
            });
          } catch (problem) {
            const { email } = await findUsed(deps, request, problem);
            cookie = await repeatReset(deps, request, { email, password, problem });
          }
          return { url: context.toUrl(PASSWORD_SET), cookies: cookie === null ? [] : [cookie] };
        },
      },
    ],
  };
}

type Show = NonNullable<PageGroup['show']>;

/** Shows the page of a link, or leads to what a used one has done. */
const openLink =
  (deps: LinkPageDeps, show: Show): NonNullable<PageRoute['get']> =>
  (context, request) =>
    show(context, request).then(
      (page) => ({ page }),
      async (problem) => ({ url: context.toUrl(DONE[(await findUsed(deps, request, problem)).kind]) }),
    );

/** Returns the link if it was used. @throws the problem otherwise */
async function findUsed({ database, clock }: LinkPageDeps, request: FastifyRequest, problem: unknown) {
  const isUnknown = problem instanceof Problem && problem.code === 'link_not_found';
  const link = isUnknown ? await findUsedLink(database, readToken(request), clock()) : undefined;
  if (link === undefined) throw problem;
  return link;
}

/**
 * Returns the cookie of a form that is sent again: it signs in with the password that it has set.
 * @throws the problem if that is another one
 */
async function repeatReset(
  deps: LinkPageDeps,
  request: FastifyRequest,
  { problem, ...login }: { readonly email: string; readonly password: string; readonly problem: unknown },
): Promise<string | null> {
  const start = (tx: Tx, admitted: Admitted) => startSession(deps, tx, { admitted, request });
  try {
    return await logIn(deps, { ...login, clientIp: request.clientIp }, start);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'second_factor_required') return null;
    throw error.code === 'invalid_login' ? problem : error;
  }
}

const readToken = ({ params }: FastifyRequest) => (params as { readonly token: string }).token;

/**
 * Returns the session of the browser if it is that of another person than the one of the link. It ends only if the form
 * says so. @throws Problem link_not_found
 */
async function findOther(deps: LinkPageDeps, request: FastifyRequest) {
  const session = deps.settings.current.hostedPages && (await deps.signInSessions.find(request.headers));
  if (!session) return undefined;
  const email = await checkPasswordLink(deps, readToken(request));
  return hasEmail(session.user, email) ? undefined : session;
}

type OtherSession = NonNullable<Awaited<ReturnType<typeof findOther>>>;

/** Ends the session of another person, and returns the cookie that says so. */
async function signOut(
  { signInSessions }: LinkPageDeps,
  tx: Tx,
  { other, request }: { readonly other: OtherSession; readonly request: FastifyRequest },
): Promise<string> {
  await signInSessions.end(tx, other);
  return signInSessions.expiredCookie(request.headers);
}

/** A rejected password is not shown again. `other`: who would be signed out. */
export function toPasswordPage(
  context: PageContext,
  kind: PasswordKind,
  { username, other }: { readonly username: string; readonly other?: OtherSession | undefined },
): HostedPage {
  const { text } = context.texts;
  const form = { path: null, fields: ['password'], username, isMain: true } as const;
  const title = text(`page.${kind}.title`);
  const paragraphs = [text(`page.${kind}.text`)];
  if (other === undefined) {
    const label = text('page.password.action');
    return { title, paragraphs, forms: [createForm(context, { ...form, label })] };
  }
  const email = other.user.email ?? '';
  const label = text('page.password.other_action', { email });
  return {
    title,
    paragraphs: [...paragraphs, text('page.password.other', { email, username })],
    forms: [createForm(context, { ...form, label, hidden: [['ends', other.userId]] })],
    links: [{ href: context.toUrl('/account'), label: text('page.password.stay', { email }) }],
  };
}

/** Signs the browser in that has set the password, and returns the cookie; null if the person has a second factor. */
async function signIn(
  deps: LinkPageDeps,
  tx: Tx,
  { userId, request }: { readonly userId: string; readonly request: FastifyRequest },
): Promise<string | null> {
  if (!canSignIn(deps, request)) return null;
  const network = deps.loginGuard.hashNetwork(request.clientIp);
  const passed = await passGate(deps, tx, { userId, amr: ['email', 'pwd'], network });
  if (passed === null || 'challenge' in passed) return null;
  return startSession(deps, tx, { admitted: passed.admitted, request });
}

/** Another site may have sent the form, perhaps with the link of somebody else. */
const canSignIn = ({ settings, publicUrl }: LinkPageDeps, { headers }: FastifyRequest) =>
  settings.current.hostedPages && isSameOrigin(headers, publicUrl);

async function startSession(
  deps: LinkPageDeps,
  tx: Tx,
  { admitted, request }: { readonly admitted: Admitted; readonly request: FastifyRequest },
): Promise<string | null> {
  if (!canSignIn(deps, request)) return null;
  return (await deps.signInSessions.start(tx, admitted, request)).cookie;
}

/** The page of a link that confirms an email. */
export function confirmEmailPages(deps: LinkPageDeps, kind: 'verify_email' | 'change_email'): PageGroup {
  const route = { path: `${LINK_PATHS[kind]}:token`, params: linkTokenSchema };
  const show: Show = async (context, request, problem) => {
    if (problem !== undefined) throw problem;
    const { text } = context.texts;
    const label = text(`page.${kind}.action`);
    return {
      title: text(`page.${kind}.title`),
      about: await findEmailToConfirm(deps, readToken(request)),
      paragraphs: [text(`page.${kind}.text`)],
      forms: [createForm(context, { path: null, label, fields: [], isMain: true })],
    };
  };
  return {
    ...{ link: kind, show },
    routes: [
      { ...route, get: openLink(deps, show) },
      {
        ...{ ...route, fields: [], isFromAnywhere: true },
        async send({ toUrl }, request) {
          const { headers } = request;
          const isFree = kind === 'verify_email' && (await deps.signInSessions.find(headers)) === undefined;
          let cookie: string | null = null;
          const confirming = confirmEmail(deps, readToken(request), async (tx, userId) => {
            // Nobody else is signed in, and the browser has chosen the password.
            if (isFree && deps.signUpProof.isOwn(headers, userId))
              cookie = await signIn(deps, tx, { userId, request });
          });
          await confirming.catch((problem) => findUsed(deps, request, problem));
          return { url: toUrl(DONE[kind]), cookies: cookie === null ? [] : [cookie] };
        },
      },
    ],
  };
}

export const PASSWORD_SET = '/account/password-set';

/** Pages of what links have done. */
export const DONE = {
  reset_password: PASSWORD_SET,
  claim_account: PASSWORD_SET,
  verify_email: '/account/email-verified',
  change_email: '/account/email-changed',
} as const satisfies Record<LinkKind, string>;
