/** The page of the own account, and its forms. */
import type { FastifyRequest } from 'fastify';
import { getActionContext, runInContext } from '../../../callers/action-context.ts';
import { Problem } from '../../../problems/problem.ts';
import { isDelivered } from '../../mail/settings.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import type { FormRoute, Outcome, PageGroup } from '../../pages/hosted/page-routes.ts';
import { readQuery } from '../../pages/hosted/way.ts';
import { exportAccount } from '../../people/personal-data/export-account.ts';
import { NOT_CACHED } from '../../people/tokens/token-responses.ts';
import { CHANGES } from './account-changes.ts';
import { accountView } from './account-view.ts';
import type { ChangeRule } from './change-rule.ts';
import { type HostedPageDeps, TWO_STEP, toEndedPage } from './hosted-pages.ts';
import type { OwnSession } from './profile-section.ts';
import { toSetUpPage, twoStepRoutes } from './two-step-pages.ts';

const toSignIn = ({ basePath, lang }: PageContext): Outcome => ({
  url: `${basePath}/sign-in?return_to=/account${lang === null ? '' : `&lang=${lang}`}`,
});

export const accountPages = (deps: HostedPageDeps): PageGroup => ({
  show: showAccountAgain(deps),
  routes: [
    {
      ...{ path: '/account', config: {} },
      async get(context, request) {
        const session = await deps.signInSessions.find(request.headers);
        if (session === undefined) return toSignIn(context);
        const notice = toDoneNotice(deps, context, readQuery(request.query).done);
        return { page: { ...(await accountView(deps, context, session)), notice } };
      },
    },
    {
      ...{ path: '/account/export', config: {} },
      async get(context, request) {
        const session = await deps.signInSessions.find(request.headers);
        return session === undefined ? toSignIn(context) : toExport(deps, session);
      },
    },
    ...twoStepRoutes(deps),
    // Where password managers lead people (https://www.w3.org/TR/change-password-url/).
    {
      path: '/.well-known/change-password',
      get: async ({ basePath }) => ({ url: `${basePath}/account#password` }),
    },
    ...Object.entries(CHANGES).map((entry) => toFormRoute(deps, entry)),
  ],
});

async function toExport(deps: HostedPageDeps, { userId }: OwnSession): Promise<Outcome> {
  await deps.numbering.flush();
  const content = await exportAccount(deps, userId);
  const disposition = `attachment; filename="account-${content.exported_at.slice(0, 10)}.json"`;
  const headers = { 'content-type': 'application/json', 'content-disposition': disposition };
  return { body: JSON.stringify(content, null, 2), headers: { ...headers, ...NOT_CACHED } };
}

function toFormRoute(
  deps: HostedPageDeps,
  [path, { fields, body: schema, change, repeated, shows, next, ...rule }]: [path: string, rule: ChangeRule],
): FormRoute {
  const isProof = fields.includes('current_password');
  const isLogin = isProof || fields.includes('code');
  return {
    ...{ path: `/account/${path}`, fields, ...(schema && { body: schema }) },
    config: {
      ...(isLogin && { limits: ['login'] }),
      ...(isProof && { recentSignIn: 'without password' }),
    },
    async send(context, request) {
      const session = await deps.signInSessions.find(request.headers);
      const { done = 'saved', isErasure } = rule;
      const leadOn = () => leadOnWithoutSession(deps, context, { request, done, isErasure });
      if (session === undefined) return leadOn();
      const after = next && { url: context.toUrl(next) };
      const isShown = async () => shows !== undefined && shows in (await deps.shownOnce.find(session));
      if (after && (await isShown())) return after;
      const { clientIp, body, params } = request;
      const values = body as Record<string, string>;
      const { id = '' } = params as { readonly id?: string };
      const proof = { currentPassword: values.current_password, signedInAt: session.authenticatedAt };
      const cookies: string[] = [];
      const { texts } = context;
      const sent = { ...proof, user: session.user, clientIp, session, request, values, id, texts, cookies };
      const problem = await runAs(session, () => change(deps, sent as never)).then(() => null, toProblem);
      // The account was deleted or disabled meanwhile.
      if (problem?.code === 'unauthorized') return leadOn();
      // The same form may have made the change meanwhile.
      if (problem !== null && problem.code !== repeated && !(await isShown())) throw problem;
      if (after) return after;
      if (isErasure) return { page: toErasedPage(context), cookies };
      // The page follows the account, not the language that was chosen before.
      const way = values.locale === undefined ? { done } : { done, lang: null };
      return { url: context.toUrl('/account', way), cookies };
    },
  };
}

/** Leads a person on whose form has replaced or ended the session, and was sent again. @throws Problem unauthorized for others */
async function leadOnWithoutSession(
  { signInSessions }: HostedPageDeps,
  context: PageContext,
  { request, done, isErasure }: { request: FastifyRequest; done: string; isErasure: boolean | undefined },
): Promise<Outcome> {
  const cookie = await signInSessions.findStarted(request);
  if (cookie !== undefined) return { url: context.toUrl('/account', { done }), cookies: [cookie] };
  if (isErasure) return toSignIn(context);
  throw new Problem('unauthorized');
}

/** @throws the error if it is none */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** The person is the actor of the events. */
function runAs<T>({ userId: id }: OwnSession, work: () => T): T {
  return runInContext({ ...getActionContext(), actor: { type: 'user', id, name: null } }, work);
}

function toDoneNotice({ mail }: HostedPageDeps, { texts: { text } }: PageContext, done: string | undefined) {
  if (done !== 'saved' && done !== 'mailed') return null;
  const key = done === 'mailed' && !isDelivered(mail) ? 'page.outcome.mail_off.text' : `people.done.${done}`;
  return { tone: 'success', title: text(key as 'people.done.saved'), links: [] } as const;
}

function toErasedPage({ texts: { text } }: PageContext): HostedPage {
  return { title: text('people.deleted.title'), paragraphs: [text('people.deleted.text')] };
}

/** Shows the page again whose form was rejected. */
export const showAccountAgain =
  (deps: HostedPageDeps) =>
  async (context: PageContext, request: FastifyRequest, problem?: Problem): Promise<HostedPage> => {
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) {
      if (problem?.status === 429) throw problem;
      return toEndedPage(context);
    }
    const isSetUp = request.url.startsWith(`${TWO_STEP}/confirm`);
    const setUp = isSetUp ? await toSetUpPage(deps, context, session) : null;
    return setUp ?? accountView(deps, context, session);
  };
