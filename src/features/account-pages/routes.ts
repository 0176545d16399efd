/** The pages that links in mail lead to. Opening one changes nothing; the step is the POST of its form. */
import { type Route, route } from '../../http/route.ts';
import type { ConfirmEmailDeps } from '../accounts/confirm-email.ts';
import type { ResetPasswordDeps } from '../accounts/reset-password.ts';
import { basePathOf } from '../web-assets/page-files.ts';
import { confirmEmailPages } from './confirm-email-pages.ts';
import { createPages, type RenderPage } from './render-page.ts';
import { setPasswordPages } from './set-password-pages.ts';
import { OUTCOMES, type Outcome } from './texts.ts';

export interface AccountPageDeps extends ResetPasswordDeps, ConfirmEmailDeps {
  readonly publicUrl: string;
  /** As messages call it; empty: by the host of its URL. */
  readonly serviceName: string;
}

export function accountPageRoutes(deps: AccountPageDeps): Route[] {
  const { publicUrl, serviceName } = deps;
  const url = publicUrl === '' ? null : new URL(publicUrl);
  const basePath = basePathOf(publicUrl);
  const render = createPages({ service: serviceName || url?.host || 'Frontdesk', basePath });
  const pages = { ...deps, render, basePath };
  return [
    ...setPasswordPages('reset_password', pages),
    ...setPasswordPages('claim_account', pages),
    ...confirmEmailPages('verify_email', pages),
    ...confirmEmailPages('change_email', pages),
    ...(Object.keys(OUTCOMES) as Outcome[]).map((outcome) => outcomeRoute(outcome, render)),
  ];
}

function outcomeRoute(outcome: Outcome, render: RenderPage): Route {
  const { title, paragraphs } = OUTCOMES[outcome];
  const notice = { template: 'notice', paragraphs: [], canRetry: true } as const;
  return route({
    method: 'GET',
    path: `/account/${outcome}`,
    operationId: `getPage_${outcome}`,
    tag: 'Pages',
    summary: title,
    access: 'public',
    limits: ['documents'],
    mediaType: 'text/html',
    renderProblem: ({ status }) => render({ ...notice, status, title: 'This page cannot be shown now' }),
    responses: { 200: { description: 'The page.' } },
    handle: () => render({ ...notice, status: 200, title, paragraphs, canRetry: false }),
  });
}
