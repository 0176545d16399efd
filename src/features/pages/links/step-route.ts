/** Parts that the routes of the pages have in common. */

import type { FastifyReply } from 'fastify';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import type { Problem } from '../../../problems/problem.ts';
import { LINK_PATHS } from '../../mail/links/links.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import { linkTokenSchema } from '../../people/accounts/schemas.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';
import type { OpenPage, PageRequest } from '../hosted/page.ts';

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

/** Returns the text of an error page. `canRetry`: the same step may succeed later. */
export function problemNotice(
  { code, status, options }: Problem,
  kind: LinkKind | null,
  { text, duration }: LanguageTexts,
) {
  if (status === 404 && kind !== null)
    return {
      title: text('page.problem.not_valid.title'),
      paragraphs: [text('page.problem.not_valid.text'), text(`page.${kind}.not_valid`)],
      canRetry: false,
      needsLink: true,
    };
  if (code === 'email_taken')
    return {
      title: text('page.problem.email_taken.title'),
      paragraphs: [text('page.problem.email_taken.text')],
      canRetry: false,
      needsLink: false,
    };
  const { retryAfterSeconds: seconds } = options;
  const later =
    seconds === undefined
      ? text('page.problem.retry_later')
      : text('page.problem.retry_in', { duration: duration(seconds) });
  const [reason, advice] = TEMPORARY[status] ?? (['other', 'page.problem.other.text'] as const);
  const ofLink = kind === null ? [] : [text(advice)];
  const paragraphs =
    reason === 'other' && kind !== null ? ofLink : [later, ...(reason === 'other' ? [] : ofLink)];
  return { title: text(`page.problem.${reason}.title`), paragraphs, canRetry: true, needsLink: false };
}

/** By status, the text of the title and the one for the holder of a link. A failure may come after the step. */
const TEMPORARY: Readonly<
  Record<
    number,
    readonly ['too_many' | 'busy' | 'failed', 'page.problem.too_many.text' | 'page.problem.unsure']
  >
> = {
  429: ['too_many', 'page.problem.too_many.text'],
  500: ['failed', 'page.problem.unsure'],
  503: ['busy', 'page.problem.unsure'],
};
