/** The pages that links in mail lead to. Opening one changes nothing; the step is the POST of its form. */
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { formBodies } from '../../../plugins/form-bodies/form-bodies.ts';
import type { ConfirmEmailDeps } from '../../accounts/email/confirm-email.ts';
import type { ResetPasswordDeps } from '../../accounts/passwords/reset-password.ts';
import { getBasePath } from '../assets/page-files.ts';
import { DOCUMENT_ROUTE } from '../documents/document-route.ts';
import { confirmEmailPages } from './confirm-email-pages.ts';
import { createPages, type RenderPage, sendPage } from './render-page.ts';
import { setPasswordPages } from './set-password-pages.ts';
import { OUTCOMES } from './texts.ts';

export interface AccountPageDeps extends ResetPasswordDeps, ConfirmEmailDeps {
  readonly publicUrl: string;
  /** As messages call it; empty: by the host of its URL. */
  readonly serviceName: string;
}

export const accountPages: FeaturePlugin<AccountPageDeps> = async (app, deps) => {
  const { publicUrl, serviceName } = deps;
  const url = publicUrl === '' ? null : new URL(publicUrl);
  const basePath = getBasePath(publicUrl);
  const render = createPages({ service: serviceName || url?.host || 'Frontdesk', basePath });
  const pages = { ...deps, render, basePath };
  await app.register(formBodies);
  await app.register(setPasswordPages, { ...pages, kind: 'reset_password' });
  await app.register(setPasswordPages, { ...pages, kind: 'claim_account' });
  await app.register(confirmEmailPages, { ...pages, kind: 'verify_email' });
  await app.register(confirmEmailPages, { ...pages, kind: 'change_email' });
  await app.register(outcomePages, { render });
};

/** The pages to which a completed step redirects. */
const outcomePages: FeaturePlugin<{ readonly render: RenderPage }> = async (app, { render }) => {
  const notice = { template: 'notice', paragraphs: [], canRetry: true } as const;
  const errorHandler = app.createPageErrorHandler(({ status }) =>
    render({ ...notice, status, title: 'This page cannot be shown now' }),
  );
  for (const [outcome, { title, paragraphs }] of Object.entries(OUTCOMES)) {
    app.get(`/account/${outcome}`, { ...DOCUMENT_ROUTE, errorHandler }, async (_request, reply) =>
      sendPage(reply, await render({ ...notice, status: 200, title, paragraphs, canRetry: false })),
    );
  }
};
