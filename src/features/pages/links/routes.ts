/** Registers the pages of links in messages. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { formBodies } from '../../../plugins/bodies/form-bodies.ts';
import { addPageHooks, addPages } from '../hosted/page-routes.ts';
import { confirmEmailPages, type LinkPageDeps, passwordPages } from './link-pages.ts';
import { outcomePages, requestLinkPages } from './outcome-pages.ts';

export const accountPages: FeaturePlugin<LinkPageDeps> = async (app, deps) => {
  addPageHooks(app);
  await app.register(formBodies);
  for (const group of [
    passwordPages(deps, 'reset_password'),
    passwordPages(deps, 'claim_account'),
    confirmEmailPages(deps, 'verify_email'),
    confirmEmailPages(deps, 'change_email'),
    requestLinkPages(deps, 'reset_password'),
    requestLinkPages(deps, 'verify_email'),
    outcomePages(deps),
  ])
    addPages(app, deps, group);
};
