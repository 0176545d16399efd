/** Responses to outcomes of a sign-in with a provider. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import type { Problem } from '../../../problems/problem.ts';
import { type OpenPage, type PageRequest, sendPage } from '../../pages/account-pages/page-view.ts';
import { createProblemPages } from '../../pages/account-pages/step-route.ts';
import type { Admitted } from '../../sign-in/gate.ts';
import type { SignInSessions } from '../../sign-in/sessions/sessions.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';
import type { Refusal, SignInOutcome } from '../linking/sign-in.ts';
import type { ProviderRow } from '../queries.ts';
import type { CompletionDeps } from '../upstream/complete-sign-in.ts';
import { UpstreamFailure } from '../upstream/upstream-failure.ts';
import { formatChallengeCookie } from './browser-cookie.ts';

export interface ProviderPageDeps extends CompletionDeps {
  readonly publicUrl: string;
  readonly signInSessions: SignInSessions;
  readonly openPage: OpenPage;
  readonly basePath: string;
}

export const QUESTION_PATH = '/sign-in/identity';

/** A page with a title, paragraphs, forms and links. */
export interface IdentityPage {
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly forms?: readonly {
    readonly action: string;
    readonly label: string;
    readonly isMain?: boolean;
    readonly field?: {
      readonly name: 'code' | 'password';
      readonly label: string;
      readonly error: string | undefined;
    };
  }[];
  readonly links?: readonly { readonly href: string; readonly label: string }[];
}

export async function renderIdentityPage(
  { openPage }: ProviderPageDeps,
  request: PageRequest,
  page: IdentityPage,
) {
  const { render } = await openPage(request);
  const isRejected = page.forms?.some(({ field }) => field?.error !== undefined) ?? false;
  return render({ template: 'identity', forms: [], links: [], ...page, isRejected });
}

/** Returns the function that starts the session of a browser, and returns its cookie. */
export function startSession(
  { signInSessions }: Pick<ProviderPageDeps, 'signInSessions'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
) {
  return async (tx: Tx, admitted: Admitted) => (await signInSessions.start(tx, admitted, headers)).cookie;
}

interface Settled {
  readonly outcome: SignInOutcome<string>;
  readonly provider: ProviderRow;
  readonly returnTo: string | null;
  /** Where a sign-in leads that waits for a code of the second factor. */
  readonly afterCode?: string | null;
}

/** Redirects to where the person wanted to go, to the question, or to the page of the second factor. */
export async function sendOutcome(deps: ProviderPageDeps, reply: FastifyReply, settled: Settled) {
  const { outcome, provider, returnTo, afterCode = returnTo } = settled;
  const { request } = reply;
  const redirect = (path: string) =>
    reply
      .code(303)
      .header('location', deps.basePath + path)
      .send();
  switch (outcome.kind) {
    case 'signed_in':
      reply.header('set-cookie', outcome.issued);
      return redirect(returnTo ?? '/account');
    case 'linked':
      return redirect(returnTo ?? '/account');
    case 'challenge': {
      const { publicUrl } = deps;
      reply.header('set-cookie', formatChallengeCookie(publicUrl, request.headers, outcome.challenge));
      const query = afterCode === null ? '' : `?${new URLSearchParams({ return_to: afterCode })}`;
      return redirect(`/sign-in/second-factor${query}`);
    }
    case 'question':
      return redirect(QUESTION_PATH);
    case 'refused': {
      const { texts } = await deps.openPage(request as PageRequest);
      const text = texts.text(`page.identity.${outcome.refusal}` satisfies `page.identity.${Refusal}`, {
        provider: provider.name,
      });
      const title = texts.text('page.identity.refused.title', { provider: provider.name });
      const page = { status: 403, title, paragraphs: [text], links: [toSignIn(deps, texts)] };
      return sendPage(reply, await renderIdentityPage(deps, request as PageRequest, page));
    }
  }
}

/** Returns the link to the page of the sign-in: an error never leads there by itself. */
export function toSignIn({ basePath }: ProviderPageDeps, { text }: LanguageTexts, returnTo?: string) {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
  return { href: `${basePath}/sign-in${query}`, label: text('page.identity.back') };
}

/** Creates the error pages: a failed sign-in says what has failed. */
export function createIdentityErrorPages(deps: ProviderPageDeps): RenderProblem {
  const renderOther = createProblemPages(null, deps);
  return async (problem, request) => {
    if (!isFailure(problem)) return renderOther(problem, request);
    const { texts } = await deps.openPage(request);
    const { kind, provider, detail } = problem;
    const title = texts.text(`page.identity.${kind}.title`, { provider });
    const paragraphs = [texts.text(`page.identity.${kind}.text`, { provider, detail })];
    const links = [toSignIn(deps, texts)];
    return renderIdentityPage(deps, request, { status: problem.status, title, paragraphs, links });
  };
}

function isFailure(problem: Problem): problem is UpstreamFailure {
  return problem instanceof UpstreamFailure;
}
