/** OpenID Connect for applications: discovery, sign-in, tokens and sign-out. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { createKeyedHash } from '../../lib/secrets/encryption.ts';
import { formBodies } from '../../plugins/bodies/form-bodies.ts';
import { createPages } from '../pages/account-pages/page-view.ts';
import { getBasePath } from '../pages/assets/assets.ts';
import { type BrowserDeps, browserEndpoints } from './browser/routes.ts';
import { discovery } from './discovery-routes.ts';
import { type TokenEndpointDeps, tokenEndpoints } from './token-routes.ts';

type OAuthDeps = TokenEndpointDeps &
  Omit<BrowserDeps, 'openPage' | 'basePath' | 'signRequest'> &
  Omit<Parameters<typeof createPages>[0], 'basePath'> & { readonly secretKey: string };

export const oauth: FeaturePlugin<OAuthDeps> = async (app, deps) => {
  const basePath = getBasePath(deps.publicUrl);
  await app.register(formBodies);
  await app.register(discovery, deps);
  await app.register(browserEndpoints, {
    ...deps,
    basePath,
    openPage: createPages({ ...deps, basePath }),
    signRequest: createKeyedHash(deps.secretKey, 'authorization-requests'),
  });
  await app.register(tokenEndpoints, deps);
};
