/** The pages that links in messages lead to. Opening one changes nothing; the step is the POST of its form. */
import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { findUsedLink, LINK_PATHS } from '../../mail/links/links.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import { confirmEmail, findEmailToConfirm } from '../../people/accounts/confirm-email.ts';
import {
  checkPasswordLink,
  claimWithoutPassword,
  resetPassword,
} from '../../people/accounts/reset-password.ts';
import { linkTokenSchema } from '../../people/accounts/schemas.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import { type Admitted, type AuthenticationMethod, passGate } from '../../people/sign-in/gate.ts';
import { logIn } from '../../people/sign-in/log-in.ts';
import type { SignUpProof } from '../../people/sign-in/session-cookie.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import { hasEmail } from '../../users/records/rules.ts';
import type { PageDeps } from '../hosted/page.ts';
import { createForm, formSchema } from '../hosted/page-forms.ts';
import type { PageGroup, PageRoute } from '../hosted/page-routes.ts';
import { type PasswordKind, toPasswordPage } from './password-page.ts';

export interface LinkPageDeps extends AccountDeps, Omit<PageDeps, keyof AccountDeps> {
  readonly signInSessions: SignInSessions;
  readonly signUpProof: SignUpProof;
}

/** `ends`: the user whose session the form ends. */
const body = {
  type: 'object',
  properties: { ...formSchema(['password']).properties, ends: { type: 'string' } },
} as const;

/** The page of a link that sets a password, or claims an account without one where the pages accept no passwords. */
export function passwordPages(deps: LinkPageDeps, kind: PasswordKind): PageGroup {
  const route = { path: `${LINK_PATHS[kind]}:token`, params: linkTokenSchema };
  const show: Show = async (context, request, problem) => {
    if (problem !== undefined && problem.code !== 'validation_failed') throw problem;
    const username = await checkPasswordLink(deps, readToken(request));
    const other = await findOther(deps, request);
    return toPasswordPage(context, kind, { username, other, hasPassword: needsPassword(deps, kind) });
  };
  return {
    ...{ link: kind, show },
    routes: [
      { ...route, get: openLink(deps, show) },
      {
        ...{ ...route, body, config: { limits: ['password-reset'] }, isFromAnywhere: true },
        async send(context, request) {
          const { ends, ...sent } = request.body as { readonly password?: string; readonly ends?: string };
          const password = needsPassword(deps, kind) ? requirePassword(sent) : null;
          const token = readToken(request);
          const amr = password === null ? (['email'] as const) : BY_PASSWORD;
          let cookie: string | null = null;
          try {
            const other = await findOther(deps, request);
            if (other !== undefined && other.userId !== ends)
              return { page: await show(context, request), status: 409 };
            const enter = async (tx: Tx, userId: string) => {
              cookie = await signIn(deps, tx, { userId, request, amr });
              if (cookie === null && other !== undefined)
                cookie = await signOut(deps, tx, { other, request });
            };
            if (password === null) await claimWithoutPassword(deps, token, enter);
            else await resetPassword(deps, { token, password, clientIp: request.clientIp }, enter);
          } catch (problem) {
            const { email } = await findUsed(deps, request, problem);
            if (password !== null) cookie = await repeatReset(deps, request, { email, password, problem });
          }
          return { url: context.toUrl(getDone(deps, kind)), cookies: cookie === null ? [] : [cookie] };
        },
      },
    ],
  };
}

const BY_PASSWORD = ['email', 'pwd'] as const;

/** Whether the form of a link has a password. A link to reset one is requested by those who need it for the API. */
const needsPassword = ({ settings }: LinkPageDeps, kind: PasswordKind) =>
  kind === 'reset_password' || settings.current.passwordSignIn;

/** @throws Problem validation_failed */
function requirePassword({ password }: { readonly password?: string }): string {
  if (password === undefined) throw validationFailed({ password: ['The password field is required.'] });
  return password;
}

const getDone = (deps: LinkPageDeps, kind: LinkKind) =>
  kind === 'claim_account' && !needsPassword(deps, kind) ? DONE.verify_email : DONE[kind];

type Show = NonNullable<PageGroup['show']>;

/** Shows the page of a link, or leads to what a used one has done. */
const openLink =
  (deps: LinkPageDeps, show: Show): NonNullable<PageRoute['get']> =>
  (context, request) =>
    show(context, request).then(
      (page) => ({ page }),
      async (problem) => {
        const { kind } = await findUsed(deps, request, problem);
        return { url: context.toUrl(getDone(deps, kind)) };
      },
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

/** Signs the browser in that has used the link, and returns the cookie; null if the person has a second factor. */
async function signIn(
  deps: LinkPageDeps,
  tx: Tx,
  {
    userId,
    request,
    amr,
  }: {
    readonly userId: string;
    readonly request: FastifyRequest;
    readonly amr: readonly AuthenticationMethod[];
  },
): Promise<string | null> {
  if (!canSignIn(deps, request)) return null;
  const network = deps.loginGuard.hashNetwork(request.clientIp);
  const passed = await passGate(deps, tx, { userId, amr, network });
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
              cookie = await signIn(deps, tx, { userId, request, amr: BY_PASSWORD });
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
