/** Parts that the routes of the pages have in common. */
import type { FastifyReply } from 'fastify';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { linkTokenSchema } from '../../accounts/schemas.ts';
import { LINK_PATHS } from '../../mail/links/link-url.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import { problemNotice } from './problem-notice.ts';
import type { RenderPage } from './render-page.ts';
import { STEPS, type StepOutcome } from './texts.ts';

export interface PageDeps {
  readonly render: RenderPage;
  /** Path of PUBLIC_URL. */
  readonly basePath: string;
}

/** Returns the path of a step; the token of the link is its last segment. */
export function stepPath(kind: LinkKind): string {
  return `${LINK_PATHS[kind]}:token`;
}

/** Schema of the routes of a step, which are not in the description of the API. */
export const stepSchema = { hide: true, params: linkTokenSchema } as const;

/** Creates the error pages of a step. */
export function createProblemPages(kind: LinkKind, render: RenderPage): RenderProblem {
  return (problem) =>
    render({ status: problem.status, template: 'notice', ...problemNotice(problem, STEPS[kind]) });
}

/** Redirects to the page of the outcome, so that reloading it does not send the form again (RFC 9110 section 15.4.4). */
export function redirectTo(reply: FastifyReply, outcome: StepOutcome, { basePath }: PageDeps): FastifyReply {
  return reply.code(303).header('location', `${basePath}/account/${outcome}`).send();
}
