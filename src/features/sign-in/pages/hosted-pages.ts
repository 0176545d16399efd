/** Renders the hosted pages, and again with the reason why a form was rejected. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '../../../database/database.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { Problem } from '../../../problems/problem.ts';
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import { findReturnApplication } from '../../applications/queries.ts';
import type { Numbering } from '../../events/numbering/numbering.ts';
import type { AnswerDeps } from '../../identity-providers/linking/answer-question.ts';
import { recordSignInFailure, SignInFailure } from '../../identity-providers/sign-in-failure.ts';
import type { UpstreamDeps } from '../../identity-providers/upstream/upstream-clients.ts';
import type { MailSettings } from '../../mail/settings.ts';
import type { LinkPage, OpenPage, PageRequest } from '../../pages/account-pages/page-view.ts';
import { createProblemPages } from '../../pages/account-pages/step-route.ts';
import { allowFormAction } from '../../pages/assets/assets.ts';
import type { TextKey } from '../../texts/language-file.ts';
import type { Admitted } from '../gate.ts';
import { readReturnTo } from '../return-to.ts';
import type { SignInSessions } from '../sessions/sessions.ts';
import type { FieldName, FormContext, FormValues, PageForm, PageLink } from './page-forms.ts';
import { NOTICES, type Notice, toNotice } from './problem-notice.ts';

export const SHOWN = { access: 'public', limits: ['documents'] } as const;
export const schema = { hide: true } as const;
export const SECOND_FACTOR = '/sign-in/second-factor';

export interface HostedPageDeps extends AnswerDeps, UpstreamDeps {
  readonly publicUrl: string;
  readonly basePath: string;
  readonly mail: MailSettings;
  readonly openPage: OpenPage;
  readonly signInSessions: SignInSessions;
  readonly numbering: Numbering;
}

/** A line of a section. */
interface Row {
  /** A letter that stands for the title. */
  readonly mark?: string;
  readonly title?: string;
  readonly badge?: { readonly tone: 'good' | 'warn' | 'note'; readonly label: string };
  readonly text?: string;
  /** A link, a button, or a form with fields, which the person unfolds. */
  readonly action?: PageLink | PageForm | null;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly badge?: Row['badge'];
  readonly form?: PageForm;
  readonly rows: readonly Row[];
  /** Below the rows. */
  readonly help?: PageLink & { readonly text: string };
}

export interface HostedPage {
  readonly title: string;
  readonly paragraphs?: readonly string[];
  readonly notice?: Notice | null;
  /** The person who is signed in, and where they can go on. */
  readonly person?: PageLink & { readonly mark: string; readonly name: string; readonly email: string };
  readonly forms?: readonly PageForm[];
  readonly providers?: readonly (PageLink & { readonly mark: string })[];
  readonly links?: readonly PageLink[];
  readonly aside?: PageLink & { readonly text: string };
  readonly sections?: readonly Section[];
  /** A QR code as SVG, and the same secret as text. */
  readonly qr?: string;
  readonly secret?: string;
  readonly codes?: readonly string[];
}

/** A request for a page: what its texts, forms and links depend on. */
export type PageContext = Awaited<ReturnType<typeof openHostedPage>>;

export async function openHostedPage(
  deps: HostedPageDeps,
  request: Pick<FastifyRequest, 'method' | 'headers' | 'query' | 'body'>,
  problem?: { readonly problem: Problem; readonly path: string },
) {
  const { basePath, passwordPolicy } = deps;
  const { texts, render } = await deps.openPage(request as PageRequest);
  const { return_to: given, lang } = request.query as Readonly<Record<string, unknown>>;
  const returnTo = typeof given === 'string' ? readReturnTo({ return_to: given }) : null;
  const target = returnTo === null ? null : await findReturnApplication(deps.database, returnTo);
  const parameters = { ...(returnTo && { return_to: returnTo }), ...(typeof lang === 'string' && { lang }) };
  const search = new URLSearchParams(parameters).toString();
  const query = search === '' ? '' : `?${search}`;
  const sent = problem && {
    path: problem.path,
    values: readValues(request.body),
    errors: readErrors(problem.problem),
  };
  const forms: FormContext = { texts, passwordPolicy, basePath, query, sent: sent ?? null };
  return {
    ...{ texts, returnTo, target, forms },
    /** Returns the URL of a page that keeps where the person wants to go. */
    toUrl: (path: string) => basePath + path + query,
    render(page: HostedPage, status = 200): LinkPage {
      const { forms: shown = [], sections = [] } = page;
      const all = [
        ...shown,
        ...sections.flatMap(({ form, rows }) => [form, ...rows.map(({ action }) => action)]),
      ];
      const sentTo = all.filter((form): form is PageForm => form != null && 'fields' in form);
      const notice = problem ? toNotice(deps, texts, { ...problem, forms: sentTo }) : null;
      const rendered = render({
        ...{ status, template: sections.length === 0 ? 'hosted' : 'own-account', notice },
        ...{ paragraphs: [], forms: [], providers: [], links: [], sections, ...page },
        isRejected: problem !== undefined,
      });
      if (target === null) return rendered;
      return { ...rendered, headers: allowFormAction(rendered.headers, target.formActionSource) };
    },
  };
}

/** Only texts, and no passwords: their fields do not show them. */
function readValues(body: unknown): FormValues {
  const { name, email } = (body ?? {}) as Readonly<Partial<Record<FieldName, unknown>>>;
  return { ...(typeof name === 'string' && { name }), ...(typeof email === 'string' && { email }) };
}

function readErrors({ options: { errors } }: Problem): MemberErrors {
  return errors === undefined || Array.isArray(errors) ? {} : (errors as MemberErrors);
}

/** @throws Problem cross_site_request */
export function requireSameOrigin({ headers }: FastifyRequest, { publicUrl }: HostedPageDeps): void {
  if (!isSameOrigin(headers, publicUrl)) throw new Problem('cross_site_request');
}

export function redirect(reply: FastifyReply, url: string, cookies: readonly string[] = []): FastifyReply {
  return reply
    .code(303)
    .headers({ location: url, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) })
    .send();
}

/** Creates the error pages of forms: `render` shows the form again, or throws a problem if there is none. */
export function createFormErrors(
  deps: HostedPageDeps,
  render: (context: PageContext, request: FastifyRequest, problem: Problem) => Promise<LinkPage>,
): RenderProblem {
  const renderOther = createProblemPages(null, deps);
  return async (problem, request) => {
    if (problem instanceof SignInFailure) {
      await recordSignInFailure(deps, problem);
      return failurePage(await openHostedPage(deps, request), problem);
    }
    // Closed routes give no reason of their own.
    if (problem.code === 'forbidden' && problem.options.text === undefined) {
      const { texts, render } = await openHostedPage(deps, request);
      return render({
        title: texts.text('people.closed.title'),
        paragraphs: [texts.text('people.closed.text')],
      });
    }
    if (request.method !== 'POST' || !Object.hasOwn(NOTICES, problem.code))
      return renderOther(problem, request);
    const path = request.url.split('?')[0]!;
    return render(await openHostedPage(deps, request, { problem, path }), request, problem).catch((error) =>
      error instanceof Problem ? renderOther(problem, request) : Promise.reject(error),
    );
  };
}

/** Says why a sign-in with a provider has failed, and leads nowhere by itself. */
function failurePage(context: PageContext, { kind, provider, detail }: SignInFailure): LinkPage {
  const { text } = context.texts;
  return context.render({
    title: text(`page.identity.${kind.startsWith('refuse') ? 'refused' : kind}.title` as TextKey, {
      provider,
    }),
    paragraphs: [text(`page.identity.${kind}.text`, { provider, detail })],
    links: [{ href: context.toUrl('/sign-in'), label: text('page.identity.back') }],
  });
}

/** Returns the function that starts the session of a browser, and returns its cookie. */
export const startSession =
  ({ signInSessions }: HostedPageDeps, request: Pick<FastifyRequest, 'headers' | 'isSignedIn'>) =>
  async (tx: Tx, admitted: Admitted) => {
    const { cookie } = await signInSessions.start(tx, admitted, request.headers);
    request.isSignedIn = true;
    return cookie;
  };

/** Returns the challenge of a sign-in that needs a code of the second factor. @throws other errors */
export function readChallenge(error: unknown): string {
  if (!(error instanceof Problem) || error.code !== 'second_factor_required') throw error;
  return String(error.options.members?.challenge);
}

export const isSignUpOpen = ({ settings: { current } }: HostedPageDeps) =>
  current.registration === 'open' && current.passwordSignIn;

export const toDestination = ({ basePath }: HostedPageDeps, { returnTo }: PageContext) =>
  basePath + (returnTo ?? '/account');

export const toSignIn = ({ toUrl, texts }: PageContext): PageLink => ({
  href: toUrl('/sign-in'),
  label: texts.text('people.sign_in.action'),
});

/** Returns the letter that stands for a name. */
export const toMark = (name: string) => [...name][0]?.toUpperCase() ?? '';
