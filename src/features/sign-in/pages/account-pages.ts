/** The page of the own account, and its forms. */

import type { FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { getActionContext, runInContext } from '../../../callers/action-context.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import type { ErrorHandler } from '../../../plugins/problems/error-response.ts';
import type { Problem } from '../../../problems/problem.ts';
import { isDelivered } from '../../mail/settings.ts';
import { type LinkPage, sendPage } from '../../pages/hosted/page.ts';
import { createForm, formSchema } from '../../pages/hosted/page-forms.ts';
import { exportAccount } from '../../people/personal-data/export-account.ts';
import { NOT_CACHED } from '../../people/tokens/token-responses.ts';
import { CHANGES, type Changed } from './account-changes.ts';
import { accountView, type OwnSession } from './account-view.ts';
import {
  createFormErrors,
  type HostedPageDeps,
  openHostedPage,
  type PageContext,
  redirect,
  requireSameOrigin,
  schema,
  toSignIn,
} from './hosted-pages.ts';

const config = { access: 'public' } as const;
const SIGN_IN = '/sign-in?return_to=/account';

export const ownAccountPage: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, rejectedPage(deps)));

  app.get('/account', { schema, config, errorHandler }, async (request, reply) => {
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) return redirect(reply, deps.basePath + SIGN_IN);
    const context = await openHostedPage(deps, request);
    const notice = toDoneNotice(deps, context, request.query);
    return sendPage(reply, context.render({ ...(await accountView(deps, context, session)), notice }));
  });

  app.get('/account/export', { schema, config, errorHandler }, async (request, reply) => {
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) return redirect(reply, deps.basePath + SIGN_IN);
    await deps.numbering.flush();
    const body = await exportAccount(deps, session.userId);
    const disposition = `attachment; filename="account-${body.exported_at.slice(0, 10)}.json"`;
    const headers = { 'content-type': 'application/json', 'content-disposition': disposition };
    return reply.headers({ ...headers, ...NOT_CACHED }).send(JSON.stringify(body, null, 2));
  });

  await app.register(accountForms, { ...deps, errorHandler });
};

const accountForms: FeaturePlugin<HostedPageDeps & { readonly errorHandler: ErrorHandler }> = async (
  app,
  deps,
) => {
  const { errorHandler } = deps;
  for (const [path, { fields, change }] of Object.entries(CHANGES)) {
    const isProof = fields.includes('current_password');
    const isLogin = isProof || fields.includes('code');
    const options = {
      schema: { ...schema, body: formSchema(fields) },
      config: {
        ...config,
        ...(isLogin && { limits: ['login'] as const }),
        ...(isProof && { recentSignIn: 'without password' as const }),
      },
      preValidation: optionalBody,
      errorHandler,
    };
    app.post(`/account/${path}`, options, async (request, reply) => {
      requireSameOrigin(request as FastifyRequest, deps);
      const session = await deps.signInSessions.find(request.headers);
      if (session === undefined) return redirect(reply, deps.basePath + SIGN_IN);
      const { headers, clientIp, body, params } = request as FastifyRequest;
      const values = body as Record<string, string>;
      const { id = '' } = params as { readonly id?: string };
      const proof = { currentPassword: values.current_password, signedInAt: session.authenticatedAt };
      const sent = { ...proof, user: session.user, clientIp, session, headers, values, id };
      const changed = await runAs(session, () => change(deps, sent as never));
      const page = await toPage(deps, request as FastifyRequest, changed);
      if (changed.cookie !== undefined) reply.header('set-cookie', changed.cookie);
      if (page !== null) return sendPage(reply, page);
      const done = changed.isMailed ? 'mailed' : 'saved';
      return redirect(reply, `${deps.basePath}/account?done=${done}`);
    });
  }
};

/** The person is the actor of the events. */
function runAs<T>({ userId: id }: OwnSession, work: () => T): T {
  return runInContext({ ...getActionContext(), actor: { type: 'user', id, name: null } }, work);
}

function toDoneNotice({ mail }: HostedPageDeps, { texts: { text } }: PageContext, query: unknown) {
  const { done } = query as Readonly<Record<string, unknown>>;
  if (done !== 'saved' && done !== 'mailed') return null;
  const key = done === 'mailed' && !isDelivered(mail) ? 'page.outcome.mail_off.text' : `people.done.${done}`;
  return { tone: 'success', title: text(key as 'people.done.saved'), links: [] } as const;
}

/** Returns the page that shows what is shown once; null: the account again. */
async function toPage(deps: HostedPageDeps, request: FastifyRequest, changed: Changed) {
  const context = await openHostedPage(deps, request);
  const { text } = context.texts;
  const { enrolment, codes, isErased } = changed;
  const links = [{ href: `${deps.basePath}/account`, label: text('people.account.back') }];
  if (enrolment !== undefined) {
    const { uri, secret } = enrolment;
    const paragraphs = [text('people.two_step.scan')];
    const title = text('people.two_step.title_begin');
    const shown = {
      title,
      paragraphs,
      qr: renderSVG(uri, { border: 4 }),
      secret: secret.replace(/.{4}(?=.)/g, '$& '),
    };
    return context.render({ ...shown, forms: [confirmForm(context)], links });
  }
  if (codes !== undefined) {
    const paragraphs = [text('people.codes.text')];
    return context.render({ title: text('people.codes.title'), paragraphs, codes, links });
  }
  if (!isErased) return null;
  return context.render({ title: text('people.deleted.title'), paragraphs: [text('people.deleted.text')] });
}

const confirmForm = ({ forms, texts: { text } }: PageContext) =>
  createForm(forms, {
    ...{ path: '/account/two-step/confirm', label: text('people.two_step.confirm'), isMain: true },
    ...{ fields: ['code'], codeLabel: text('people.two_step.code') },
  });

/** The secret is not shown again: a wrong code gets a page without it. */
export const rejectedPage =
  (deps: HostedPageDeps) =>
  async (context: PageContext, request: FastifyRequest, problem: Problem): Promise<LinkPage> => {
    const { text } = context.texts;
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) {
      if (problem.status === 429) throw problem;
      return context.render({
        title: text('people.sign_out.done'),
        notice: null,
        links: [toSignIn(context)],
      });
    }
    if (!request.url.startsWith('/account/two-step/confirm'))
      return context.render(await accountView(deps, context, session));
    const links = [{ href: `${deps.basePath}/account#two-step`, label: text('people.account.back') }];
    const title = text('people.two_step.title_begin');
    return context.render({ title, forms: [confirmForm(context)], links });
  };
