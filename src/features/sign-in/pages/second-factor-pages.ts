/** The page of the second step of a sign-in. Its URL names the step: each tab has its own. */
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../problems/problem.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { PageGroup } from '../../pages/hosted/page-routes.ts';
import { toDestination } from '../../pages/hosted/way.ts';
import { answerChallenge } from '../../people/sign-in/answer-challenge.ts';
import {
  type HostedPageDeps,
  LOGIN,
  leadOnIfDone,
  readStep,
  SECOND_FACTOR,
  startSession,
  toSignIn,
} from './hosted-pages.ts';

export const secondFactorPages = (deps: HostedPageDeps): PageGroup => ({
  show: (context, request, problem) => showStep(deps, context, { request, problem }),
  routes: [
    {
      path: SECOND_FACTOR,
      get: async (context, request) =>
        (await leadOnIfDone(deps, context, { request })) ?? {
          page: await showStep(deps, context, { request }),
        },
    },
    {
      ...{ path: SECOND_FACTOR, fields: ['code'], config: LOGIN },
      async send(context, request) {
        const done = await leadOnIfDone(deps, context, { request });
        if (done !== null) return done;
        const { code } = request.body as { readonly code: string };
        const { challenge = '', expire } = readStep(deps, request);
        const answer = { challenge, code, clientIp: request.clientIp };
        const cookie = await answerChallenge(deps, answer, startSession(deps, request));
        return { url: toDestination(context), cookies: [cookie, expire()] };
      },
    },
  ],
});

async function showStep(
  deps: HostedPageDeps,
  context: PageContext,
  { request, problem }: { readonly request: FastifyRequest; readonly problem?: Problem | undefined },
): Promise<HostedPage> {
  const isWaiting = readStep(deps, request).challenge !== undefined && problem?.code !== 'challenge_expired';
  if (!isWaiting && problem?.status === 429) throw problem;
  const { text } = context.texts;
  const links = [{ ...toSignIn(context), label: text('page.identity.back') }];
  if (!isWaiting) {
    const title = text('people.problem.challenge_expired.title');
    return { title, paragraphs: [text('people.problem.challenge_expired.text')], notice: null, links };
  }
  const form = { path: null, label: text('people.sign_in.action'), isMain: true } as const;
  return {
    title: text('people.second_factor.title'),
    paragraphs: [text('people.second_factor.text', { service: deps.settings.current.instanceName })],
    forms: [createForm(context, { ...form, fields: ['code'] })],
    links,
  };
}
