/** The hosted pages: signing in and up, and the own account. They work without JavaScript. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { formBodies } from '../../../plugins/bodies/form-bodies.ts';
import { addPageHooks, addPages } from '../../pages/hosted/page-routes.ts';
import { accountPages } from './account-pages.ts';
import { codePages } from './code-pages.ts';
import { explain, type HostedPageDeps } from './hosted-pages.ts';
import { beginPages, callbackPages } from './provider-pages.ts';
import { questionPages } from './question-pages.ts';
import { secondFactorPages } from './second-factor-pages.ts';
import { signInPages } from './sign-in-pages.ts';
import { signOutPages, signUpPages } from './sign-up-pages.ts';

const GROUPS = [
  ...[signInPages, codePages, secondFactorPages, beginPages, callbackPages, questionPages],
  ...[signUpPages, signOutPages, accountPages],
];

export const hostedPages: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  addPageHooks(app, () => deps.settings.current.hostedPages);
  await app.register(formBodies);
  for (const createGroup of GROUPS) addPages(app, deps, { explain: explain(deps), ...createGroup(deps) });
};
