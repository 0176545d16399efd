/** Parts that the routes of the pages have in common. */
import type { HandlerResponse, RenderProblem } from '../../http/route.ts';
import { linkTokenSchema } from '../accounts/schemas.ts';
import { LINK_PATHS } from '../links/link-url.ts';
import type { LinkKind } from '../links/queries.ts';
import { problemNotice } from './problem-notice.ts';
import type { RenderPage } from './render-page.ts';
import { type Outcome, STEPS } from './texts.ts';

export interface PageDeps {
  readonly render: RenderPage;
  /** Path of PUBLIC_URL. */
  readonly basePath: string;
}

export function stepRoute(kind: LinkKind, renderProblem: RenderProblem) {
  return {
    path: `${LINK_PATHS[kind]}{token}` as `/${string}`,
    tag: 'Pages',
    summary: STEPS[kind].title,
    access: 'public',
    params: linkTokenSchema,
    mediaType: 'text/html',
    renderProblem,
  } as const;
}

/** Creates the error pages of a step. */
export function createProblemPages(kind: LinkKind, render: RenderPage): RenderProblem {
  return (problem) =>
    render({ status: problem.status, template: 'notice', ...problemNotice(problem, STEPS[kind]) });
}

/** Redirects to the page of the outcome, so that reloading it does not send the form again (RFC 9110 section 15.4.4). */
export function redirectTo(outcome: Outcome, { basePath }: PageDeps): HandlerResponse {
  return { status: 303, headers: { location: `${basePath}/account/${outcome}` } };
}
