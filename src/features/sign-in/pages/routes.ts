/** The hosted pages: signing in and up, and the own account. They work without JavaScript. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { formBodies } from '../../../plugins/bodies/form-bodies.ts';
import { getBasePath } from '../../pages/assets/assets.ts';
import { addPageHooks, createPages } from '../../pages/hosted/page.ts';
import type { Texts } from '../../texts/texts.ts';
import { ownAccountPage } from './account-pages.ts';
import type { HostedPageDeps } from './hosted-pages.ts';
import { beginPages, callbackPages } from './provider-pages.ts';
import { questionPages } from './question-pages.ts';
import { secondFactorPage } from './second-factor-pages.ts';
import { signInPage } from './sign-in-pages.ts';
import { signOutPage, signUpPage } from './sign-up-pages.ts';

const PAGES = [
  ...[signInPage, secondFactorPage, beginPages, callbackPages, questionPages],
  ...[signUpPage, signOutPage, ownAccountPage],
];

export const hostedPages: FeaturePlugin<
  Omit<HostedPageDeps, 'openPage' | 'basePath'> & { readonly texts: Texts }
> = async (app, deps) => {
  const basePath = getBasePath(deps.publicUrl);
  const pages = { ...deps, openPage: createPages({ ...deps, basePath }), basePath };
  addPageHooks(app, deps);
  await app.register(formBodies);
  for (const page of PAGES) await app.register(page, pages);
};
