/** The page of the second step of a sign-in. */

import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import type { Problem } from '../../../problems/problem.ts';
import { sendPage } from '../../pages/hosted/page.ts';
import { createForm, formSchema } from '../../pages/hosted/page-forms.ts';
import { answerChallenge } from '../../people/sign-in/answer-challenge.ts';
import {
  CHALLENGE_COOKIE,
  formatSessionCookie,
  readSessionCookie,
} from '../../people/sign-in/session-cookie.ts';
import {
  createFormErrors,
  type HostedPageDeps,
  openHostedPage,
  type PageContext,
  redirect,
  requireSameOrigin,
  SECOND_FACTOR,
  SHOWN,
  schema,
  startSession,
  toDestination,
} from './hosted-pages.ts';

export const secondFactorPage: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const page = createPage(deps);
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, page));

  app.get(SECOND_FACTOR, { schema, config: SHOWN, errorHandler }, async (request, reply) =>
    sendPage(reply, await page(await openHostedPage(deps, request), request as FastifyRequest)),
  );

  const config = { access: 'public', limits: ['login'] } as const;
  const options = { schema: { ...schema, body: formSchema(['code']) }, config, errorHandler };
  app.post(SECOND_FACTOR, { ...options, preValidation: optionalBody }, async (request, reply) => {
    requireSameOrigin(request as FastifyRequest, deps);
    const { headers, clientIp } = request;
    const { code } = request.body as Record<string, string>;
    const challenge = readChallengeCookie(deps, request) ?? '';
    const answer = { challenge, code: code!, clientIp };
    const cookie = await answerChallenge(deps, answer, startSession(deps, request));
    const expired = { token: '', maxAge: 0, name: CHALLENGE_COOKIE };
    const cookies = [cookie, formatSessionCookie(deps.publicUrl, headers, expired)];
    return redirect(reply, toDestination(deps, await openHostedPage(deps, request)), cookies);
  });
};

const readChallengeCookie = ({ publicUrl }: HostedPageDeps, { headers }: Pick<FastifyRequest, 'headers'>) =>
  readSessionCookie(publicUrl, headers, CHALLENGE_COOKIE);

const createPage =
  (deps: HostedPageDeps) => async (context: PageContext, request: FastifyRequest, problem?: Problem) => {
    const isWaiting =
      readChallengeCookie(deps, request) !== undefined && problem?.code !== 'challenge_expired';
    if (!isWaiting && problem?.status === 429) throw problem;
    const { text } = context.texts;
    const label = text('page.identity.back');
    const back = { href: context.toUrl('/sign-in'), label };
    if (!isWaiting)
      return context.render({
        title: text('people.problem.challenge_expired.title'),
        paragraphs: [text('people.problem.challenge_expired.text')],
        notice: null,
        links: [back],
      });
    const form = { path: SECOND_FACTOR, label: text('people.sign_in.action'), isMain: true } as const;
    return context.render({
      title: text('people.second_factor.title'),
      paragraphs: [text('people.second_factor.text', { service: deps.settings.current.instanceName })],
      forms: [createForm(context.forms, { ...form, fields: ['code'] })],
      links: [back],
    });
  };
