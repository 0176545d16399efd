/** What the pages of sign-in, sign-up and the own account have in common. */
import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import type { Numbering } from '../../events/numbering/numbering.ts';
import { recordSignInFailure, SignInFailure } from '../../identity-providers/sign-in-failure.ts';
import type { UpstreamDeps } from '../../identity-providers/upstream/upstream-clients.ts';
import type { HostedPage, PageContext, PageDeps } from '../../pages/hosted/page.ts';
import type { PageLink } from '../../pages/hosted/page-forms.ts';
import { readQuery, toDestination } from '../../pages/hosted/way.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import type { Admitted } from '../../people/sign-in/gate.ts';
import {
  type CookieDeps,
  formatChallengeCookie,
  readChallengeCookie,
  type SentForm,
  type SignUpProof,
} from '../../people/sign-in/session-cookie.ts';
import { REPETITION_MS, type SignInSessions } from '../../people/sign-in/sessions.ts';
import type { ShownOnce } from '../../people/sign-in/shown-once.ts';
import type { TextKey } from '../../texts/language-file.ts';

export const SECOND_FACTOR = '/sign-in/second-factor';
export const TWO_STEP = '/account/two-step';
export const CODES = `${TWO_STEP}/codes`;
export const LOGIN = { limits: ['login'] } as const;

export interface HostedPageDeps
  extends AccountDeps,
    UpstreamDeps,
    CookieDeps,
    Omit<PageDeps, keyof AccountDeps | keyof UpstreamDeps> {
  readonly signInSessions: SignInSessions;
  readonly shownOnce: ShownOnce;
  readonly signUpProof: SignUpProof;
  readonly numbering: Numbering;
}

/** Creates the pages of sign-ins with a provider that fail, of sessions that have ended, and of a route that is closed to everybody. */
export const explain =
  (deps: HostedPageDeps) =>
  async (context: PageContext, problem: Problem): Promise<HostedPage | null> => {
    const { text } = context.texts;
    if (problem instanceof SignInFailure) {
      await recordSignInFailure(deps, problem);
      return toFailurePage(context, problem);
    }
    if (problem.code === 'unauthorized') return toEndedPage(context);
    // Closed routes give no reason of their own.
    if (problem.code !== 'forbidden' || problem.options.text !== undefined) return null;
    return { title: text('people.closed.title'), paragraphs: [text('people.closed.text')] };
  };

/** Says why a sign-in with a provider has failed, and leads nowhere by itself. */
function toFailurePage(context: PageContext, { kind, provider, detail }: SignInFailure): HostedPage {
  const { text } = context.texts;
  const name = kind.startsWith('refuse') ? 'refused' : kind;
  return {
    title: text(`page.identity.${name}.title` as TextKey, { provider }),
    paragraphs: [text(`page.identity.${kind}.text`, { provider, detail })],
    links: [{ ...toSignIn(context), label: text('page.identity.back') }],
  };
}

export const toSignedOutPage = (context: PageContext): HostedPage => ({
  title: context.texts.text('people.sign_out.done'),
  notice: null,
  links: [toSignIn(context)],
});

/** Returns the page for somebody who has sent a form after the session had ended. */
export const toEndedPage = (context: PageContext): HostedPage => ({
  ...toSignedOutPage(context),
  paragraphs: [context.texts.text('people.sign_out.unsaved')],
});

/** Returns the function that starts the session of a browser, and returns its cookie. */
export const startSession =
  ({ signInSessions }: HostedPageDeps, request: SentForm & { isSignedIn: boolean }) =>
  async (tx: Tx, admitted: Admitted) => {
    const { cookie } = await signInSessions.start(tx, admitted, request);
    request.isSignedIn = true;
    return cookie;
  };

/** Whether the person of the browser has just signed in: a form that leads there has done its work, and was sent again. */
export async function isJustSignedIn(
  { signInSessions, clock }: HostedPageDeps,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<boolean> {
  const session = await signInSessions.find(headers);
  return session !== undefined && session.authenticatedAt > clock() - REPETITION_MS;
}

/** Returns the challenge of a sign-in that needs a code of the second factor. @throws other errors */
export function readChallenge(error: unknown): string {
  if (!(error instanceof Problem) || error.code !== 'second_factor_required') throw error;
  return String(error.options.members?.challenge);
}

/** Leads to the page of the second factor after a sign-in that needs a code. @throws other errors */
export function leadToSecondFactor(
  deps: HostedPageDeps,
  { toUrl }: PageContext,
  { headers, error }: Pick<FastifyRequest, 'headers'> & { readonly error: unknown },
) {
  const { step, cookie } = formatChallengeCookie(deps, headers, { token: readChallenge(error) });
  return { url: toUrl(SECOND_FACTOR, { step }), cookies: [cookie] };
}

/** Returns the challenge of the step that the URL of a page names: each tab has its own. */
export const readStep = (deps: HostedPageDeps, { headers, query }: FastifyRequest) =>
  readChallengeCookie(deps, headers, readQuery(query).step);

/** Leads somebody on who has just signed in by this step: its form was sent again. Returns null for others. */
export async function leadOnIfDone(
  deps: HostedPageDeps,
  context: PageContext,
  {
    request,
    isWaiting = readStep(deps, request).challenge !== undefined,
  }: { readonly request: FastifyRequest; readonly isWaiting?: boolean },
) {
  const isDone = !isWaiting && (await isJustSignedIn(deps, request));
  return isDone ? { url: toDestination(context) } : null;
}

export const isSignUpOpen = ({ settings: { current } }: HostedPageDeps) =>
  current.registration === 'open' && (current.passwordSignIn || current.emailCodeSignIn);

export const toSignIn = ({ toUrl, texts }: PageContext): PageLink => ({
  href: toUrl('/sign-in'),
  label: texts.text('people.sign_in.action'),
});

/** Returns the letter that stands for a name. */
export const toMark = (name: string) => [...name][0]?.toUpperCase() ?? '';
