/** OpenID Connect for applications: discovery, sign-in, tokens and sign-out. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { formBodies } from '../../plugins/form-bodies/form-bodies.ts';
import { createPages } from '../pages/account-pages/page-view.ts';
import { getBasePath } from '../pages/assets/assets.ts';
import { type AuthorizeDeps, authorizationEndpoint } from './authorize/routes.ts';
import { discovery } from './discovery.ts';
import { endSessionEndpoint } from './end-session/routes.ts';
import { type TokenEndpointDeps, tokenEndpoints } from './token-routes.ts';
import { userinfoEndpoint } from './userinfo-routes.ts';

export type OAuthDeps = TokenEndpointDeps &
  Omit<AuthorizeDeps, 'openPage' | 'basePath'> &
  Omit<Parameters<typeof createPages>[0], 'basePath'>;

export const oauth: FeaturePlugin<OAuthDeps> = async (app, deps) => {
  const basePath = getBasePath(deps.publicUrl);
  const pages = { ...deps, basePath, openPage: createPages({ ...deps, basePath }) };
  await app.register(formBodies);
  await app.register(discovery, deps);
  await app.register(authorizationEndpoint, pages);
  await app.register(tokenEndpoints, deps);
  await app.register(userinfoEndpoint, deps);
  await app.register(endSessionEndpoint, pages);
};
