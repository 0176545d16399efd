/** The hosted pages: signing in and up, and the own account. They work without JavaScript. */
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { formBodies } from '../../../plugins/form-bodies/form-bodies.ts';
import type { ProviderPageDeps } from '../../identity-providers/pages/outcome-pages.ts';
import { providerSignIn } from '../../identity-providers/pages/sign-in-pages.ts';
import { addPageHooks } from '../../pages/account-pages/page-hooks.ts';
import { createPages } from '../../pages/account-pages/page-view.ts';
import { getBasePath } from '../../pages/assets/assets.ts';
import type { Texts } from '../../texts/texts.ts';
import { ownAccountPage } from './account-pages.ts';
import type { HostedPageDeps } from './hosted-pages.ts';
import { secondFactorPage } from './second-factor-pages.ts';
import { signInPage } from './sign-in-pages.ts';
import { signOutPage } from './sign-out-pages.ts';
import { signUpPage } from './sign-up-pages.ts';

export const hostedPages: FeaturePlugin<
  Omit<HostedPageDeps & ProviderPageDeps, 'openPage' | 'basePath'> & { readonly texts: Texts }
> = async (app, deps) => {
  const basePath = getBasePath(deps.publicUrl);
  const pages = { ...deps, openPage: createPages({ ...deps, basePath }), basePath };
  addPageHooks(app, deps);
  await app.register(formBodies);
  await app.register(providerSignIn, deps);
  for (const page of [signInPage, secondFactorPage, signUpPage, signOutPage, ownAccountPage])
    await app.register(page, pages);
};
