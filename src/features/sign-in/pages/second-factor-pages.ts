/** The page of the second step of a sign-in. Its URL names the step: each tab has its own. */
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../../problems/problem.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { PageGroup } from '../../pages/hosted/page-routes.ts';
import { readQuery, toDestination } from '../../pages/hosted/way.ts';
import { answerChallenge } from '../../people/sign-in/answer-challenge.ts';
import { readChallengeCookie } from '../../people/sign-in/session-cookie.ts';
import {
  type HostedPageDeps,
  isJustSignedIn,
  LOGIN,
  SECOND_FACTOR,
  startSession,
  toSignIn,
} from './hosted-pages.ts';

export const secondFactorPages = (deps: HostedPageDeps): PageGroup => ({
  show: (context, request, problem) => showStep(deps, context, { request, problem }),
  routes: [
    {
      path: SECOND_FACTOR,
      async get(context, request) {
        const isDone =
          readStep(deps, request).challenge === undefined && (await isJustSignedIn(deps, request));
        return isDone
          ? { url: toDestination(context) }
          : { page: await showStep(deps, context, { request }) };
      },
    },
    {
      ...{ path: SECOND_FACTOR, fields: ['code'], config: LOGIN },
      async send(context, request) {
        const { code } = request.body as { readonly code: string };
        const { challenge, expire } = readStep(deps, request);
        const url = toDestination(context);
        if (challenge === undefined && (await isJustSignedIn(deps, request))) return { url };
        const answer = { challenge: challenge ?? '', code, clientIp: request.clientIp };
        const cookie = await answerChallenge(deps, answer, startSession(deps, request));
        return { url, cookies: [cookie, expire()] };
      },
    },
  ],
});

const readStep = (deps: HostedPageDeps, { headers, query }: FastifyRequest) =>
  readChallengeCookie(deps, headers, readQuery(query).step);

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
