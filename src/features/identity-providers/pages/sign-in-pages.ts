/** The pages of sign-ins with identity providers, among the hosted pages. */
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { createPages } from '../../pages/account-pages/page-view.ts';
import { getBasePath } from '../../pages/assets/assets.ts';
import type { Texts } from '../../texts/texts.ts';
import type { ProviderPageDeps } from './outcome-pages.ts';
import { beginPages, callbackPages } from './provider-pages.ts';
import { questionPages } from './question-pages.ts';

export const providerSignIn: FeaturePlugin<
  Omit<ProviderPageDeps, 'openPage' | 'basePath'> & { readonly texts: Texts }
> = async (app, deps) => {
  const basePath = getBasePath(deps.publicUrl);
  const pages = { ...deps, openPage: createPages({ ...deps, basePath }), basePath };
  await app.register(beginPages, pages);
  await app.register(callbackPages, pages);
  await app.register(questionPages, pages);
};
