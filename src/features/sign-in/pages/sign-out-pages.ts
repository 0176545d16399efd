/** The page to sign out. */
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { sendPage } from '../../pages/account-pages/page-view.ts';
import {
  type HostedPageDeps,
  openHostedPage,
  redirect,
  requireSameOrigin,
  SHOWN,
  schema,
  toSignIn,
} from './hosted-pages.ts';
import { createForm } from './page-forms.ts';

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
