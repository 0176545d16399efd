/** Responses to the outcomes of sign-ins with identity providers. */
import type { FastifyReply } from 'fastify';
import type { SignInOutcome } from '../../../identity-providers/linking/sign-in.ts';
import { formatChallengeCookie } from '../../../people/sign-in/session-cookie.ts';
import { type HostedPageDeps, redirect, SECOND_FACTOR } from '../hosted-pages.ts';

export const QUESTION_PATH = '/sign-in/identity';

export const addReturnTo = (path: string, returnTo: string | null) =>
  returnTo === null ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`;

/**
 * Redirects to where the person wanted to go, to the question, or to the page of the second factor, which leads to
 * `afterCode`.
 */
export function sendOutcome(
  { basePath, publicUrl }: HostedPageDeps,
  reply: FastifyReply,
  {
    outcome,
    returnTo,
    afterCode = returnTo,
  }: {
    readonly outcome: SignInOutcome;
    readonly returnTo: string | null;
    readonly afterCode?: string | null;
  },
): FastifyReply {
  switch (outcome.kind) {
    case 'question':
      return redirect(reply, basePath + addReturnTo(QUESTION_PATH, returnTo));
    case 'challenge': {
      const cookie = formatChallengeCookie(publicUrl, reply.request.headers, outcome.challenge);
      return redirect(reply, basePath + addReturnTo(SECOND_FACTOR, afterCode), [cookie]);
    }
    default:
      return redirect(
        reply,
        basePath + (returnTo ?? '/account'),
        outcome.kind === 'signed_in' ? [outcome.cookie] : [],
      );
  }
}
