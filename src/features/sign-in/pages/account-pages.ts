/** The page of the own account, and its forms. */

import type { FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { getActionContext, runInContext } from '../../../callers/action-context.ts';
import { Problem } from '../../../problems/problem.ts';
import { isDelivered } from '../../mail/settings.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { FormRoute, Outcome, PageGroup } from '../../pages/hosted/page-routes.ts';
import { readQuery } from '../../pages/hosted/way.ts';
import { exportAccount } from '../../people/personal-data/export-account.ts';
import { NOT_CACHED } from '../../people/tokens/token-responses.ts';
import { CHANGES, type Changed, type ChangeRule } from './account-changes.ts';
import { accountView, type OwnSession } from './account-view.ts';
import type { HostedPageDeps } from './hosted-pages.ts';
import { toSignedOutPage } from './sign-up-pages.ts';

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
  [path, { fields, body: schema, change, repeated }]: [path: string, rule: ChangeRule],
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
      if (session === undefined) return toSignIn(context);
      const { headers, clientIp, body, params } = request;
      const values = body as Record<string, string>;
      const { id = '' } = params as { readonly id?: string };
      const proof = { currentPassword: values.current_password, signedInAt: session.authenticatedAt };
      const sent = { ...proof, user: session.user, clientIp, session, headers, values, id };
      const changing = runAs(session, () => change(deps, sent as never));
      const changed: Changed = await changing.catch((problem) =>
        problem instanceof Problem && problem.code === repeated ? {} : Promise.reject(problem),
      );
      const cookies = changed.cookie === undefined ? [] : [changed.cookie];
      const page = toShownOnce(context, changed);
      if (page !== null) return { page, cookies };
      const done = changed.isMailed ? 'mailed' : 'saved';
      return { url: context.toUrl('/account', { done, ...(changed.isLanguage && { lang: null }) }), cookies };
    },
  };
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

/** Returns the page that shows what is shown once; null: the account again. */
function toShownOnce(context: PageContext, { enrolment, codes, isErased }: Changed): HostedPage | null {
  const { text } = context.texts;
  const links = [{ href: context.toUrl('/account'), label: text('people.account.back') }];
  if (enrolment !== undefined) {
    const { uri, secret } = enrolment;
    return {
      title: text('people.two_step.title_begin'),
      paragraphs: [text('people.two_step.scan')],
      qr: renderSVG(uri, { border: 4 }),
      secret: secret.replace(/.{4}(?=.)/g, '$& '),
      forms: [createConfirmForm(context)],
      links,
    };
  }
  if (codes !== undefined)
    return { title: text('people.codes.title'), paragraphs: [text('people.codes.text')], codes, links };
  if (!isErased) return null;
  return { title: text('people.deleted.title'), paragraphs: [text('people.deleted.text')] };
}

const createConfirmForm = (context: PageContext) =>
  createForm(context, {
    ...{ path: '/account/two-step/confirm', label: context.texts.text('people.two_step.title_begin') },
    ...{ fields: ['code'], codeLabel: context.texts.text('people.two_step.code'), isMain: true },
  });

/** Shows the page again whose form was rejected. A secret is not shown again. */
export const showAccountAgain =
  (deps: HostedPageDeps) =>
  async (context: PageContext, request: FastifyRequest, problem?: Problem): Promise<HostedPage> => {
    const { text } = context.texts;
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) {
      if (problem?.status === 429) throw problem;
      return toSignedOutPage(context);
    }
    if (!request.url.startsWith('/account/two-step/confirm')) return accountView(deps, context, session);
    const links = [{ href: `${context.toUrl('/account')}#two-step`, label: text('people.account.back') }];
    return { title: text('people.two_step.title_begin'), forms: [createConfirmForm(context)], links };
  };
