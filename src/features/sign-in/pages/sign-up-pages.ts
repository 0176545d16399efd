/** The pages to create an account and to sign out. */

import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { findPreferredLocale } from '../../../lib/text/locale.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import type { ErrorHandler } from '../../../plugins/problems/error-response.ts';
import { Problem } from '../../../problems/problem.ts';
import { isDelivered } from '../../mail/settings.ts';
import { sendPage } from '../../pages/hosted/page.ts';
import { createForm, formSchema } from '../../pages/hosted/page-forms.ts';
import { prepareRegistration } from '../../people/accounts/register.ts';
import { requestLink } from '../../people/accounts/request-link.ts';
import {
  createFormErrors,
  type HostedPage,
  type HostedPageDeps,
  isSignUpOpen,
  openHostedPage,
  type PageContext,
  redirect,
  requireSameOrigin,
  SHOWN,
  schema,
  toSignIn,
} from './hosted-pages.ts';

export const signUpPage: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const isOpenTo = () => isSignUpOpen(deps);
  const page = async (context: PageContext) => context.render(signUpView(deps, context));
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, page));

  app.get('/sign-up', { schema, config: { ...SHOWN, isOpenTo }, errorHandler }, async (request, reply) =>
    sendPage(reply, await page(await openHostedPage(deps, request))),
  );

  const body = formSchema(['name', 'email', 'password']);
  const config = { access: 'public', limits: ['register', 'register-hour'], isOpenTo } as const;
  const options = { schema: { ...schema, body }, config, preValidation: optionalBody, errorHandler };
  app.post('/sign-up', options, async (request, reply) => {
    requireSameOrigin(request as FastifyRequest, deps);
    const { clientIp, headers } = request;
    const { name, email, password } = request.body as Record<'name' | 'email' | 'password', string>;
    const locale = findPreferredLocale(headers['accept-language']);
    const registration = { name, email, password, locale, redirectTo: null, clientIp };
    // No session: a page that differs would tell whose address is registered.
    const { store } = await prepareRegistration(deps, registration, async () => undefined);
    try {
      await deps.database.transaction(store);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'email_taken') throw error;
      await requestLink(deps, { kind: 'reset_password', email, redirectTo: null });
    }
    const context = await openHostedPage(deps, request);
    return redirect(reply, context.toUrl('/sign-up/done'));
  });

  await app.register(signUpDone, { ...deps, errorHandler });
};

const signUpDone: FeaturePlugin<HostedPageDeps & { readonly errorHandler: ErrorHandler }> = async (
  app,
  deps,
) => {
  const { errorHandler } = deps;
  app.get('/sign-up/done', { schema, config: SHOWN, errorHandler }, async (request, reply) => {
    const context = await openHostedPage(deps, request);
    const { text } = context.texts;
    const isMailed = isDelivered(deps.mail);
    const paragraphs = isMailed
      ? [text('people.sign_up.done.text'), text('people.sign_up.done.known')]
      : [text('page.outcome.mail_off.text')];
    const title = text(isMailed ? 'people.sign_up.done.title' : 'page.outcome.mail_off.title');
    return sendPage(reply, context.render({ title, paragraphs, links: [toSignIn(context)] }));
  });
};

/** Returns what the page to create an account shows. */
export function signUpView({ settings }: HostedPageDeps, context: PageContext): HostedPage {
  const { text } = context.texts;
  const service = settings.current.instanceName;
  const form = { path: '/sign-up', label: text('people.sign_up.action'), isMain: true } as const;
  return {
    title: text('people.sign_up.title'),
    paragraphs: [text('people.sign_up.text', { service })],
    forms: [createForm(context.forms, { ...form, fields: ['name', 'email', 'password'] })],
    aside: { text: text('people.sign_up.has_account'), ...toSignIn(context) },
  };
}

export const signOutPage: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const { signInSessions, database } = deps;

  app.get('/sign-out', { schema, config: SHOWN }, async (request, reply) => {
    const session = await signInSessions.find(request.headers);
    const context = await openHostedPage(deps, request);
    const { text } = context.texts;
    if (session === undefined) {
      return sendPage(
        reply,
        context.render({ title: text('people.sign_out.done'), links: [toSignIn(context)] }),
      );
    }
    const form = { path: '/sign-out', label: text('people.sign_out.action'), isMain: true, fields: [] };
    const title = text('people.sign_out.title');
    const paragraphs = [text('people.sign_out.text', { email: session.user.email ?? '' })];
    return sendPage(reply, context.render({ title, paragraphs, forms: [createForm(context.forms, form)] }));
  });

  app.post('/sign-out', { schema, config: { access: 'public' } }, async (request, reply) => {
    requireSameOrigin(request as FastifyRequest, deps);
    const session = await signInSessions.find(request.headers);
    if (session !== undefined) await database.transaction((tx) => signInSessions.end(tx, session));
    return redirect(reply, `${deps.basePath}/sign-out`, [signInSessions.expiredCookie(request.headers)]);
  });
};
