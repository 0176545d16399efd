/** Parts that the routes of the pages have in common. */
import type { FastifyReply } from 'fastify';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import { linkTokenSchema } from '../../users/accounts/schemas.ts';
import type { OpenPage, PageRequest } from './page-view.ts';
import { problemNotice } from './problem-notice.ts';

export interface PageDeps {
  readonly openPage: OpenPage;
  readonly basePath: string;
}

export function stepPath(kind: LinkKind): string {
  return `${LINK_PATHS[kind]}:token`;
}

export const stepSchema = { hide: true, params: linkTokenSchema } as const;

/** Pages that send another link. A change of the email is requested in the application. */
export const REQUEST_PATHS = {
  reset_password: '/account/reset-password',
  claim_account: '/account/reset-password',
  verify_email: '/account/verify-email',
  change_email: null,
} as const satisfies Record<LinkKind, string | null>;

/** Creates the error pages of a step; null: of a page without a link. */
export function createProblemPages(kind: LinkKind | null, { openPage, basePath }: PageDeps): RenderProblem {
  return async (problem, request) => {
    const { texts, redirectQuery, render } = await openPage(request);
    const { needsLink, ...notice } = problemNotice(problem, kind, texts);
    const path = kind === null ? null : REQUEST_PATHS[kind];
    const newLinkUrl = needsLink && path !== null ? basePath + path + redirectQuery : null;
    return render({ status: problem.status, template: 'notice', tone: 'warn', newLinkUrl, ...notice });
  };
}

export const OUTCOMES = ['password-set', 'email-verified', 'email-changed', 'link-requested'] as const;
export type StepOutcome = (typeof OUTCOMES)[number];

/** Redirects to the page of the outcome, so that reloading it does not send the form again (RFC 9110 section 15.4.4). */
export async function redirectTo(
  reply: FastifyReply,
  outcome: StepOutcome,
  { openPage, basePath }: PageDeps,
): Promise<FastifyReply> {
  const { redirectQuery } = await openPage(reply.request as PageRequest);
  return reply.code(303).header('location', `${basePath}/account/${outcome}${redirectQuery}`).send();
}
