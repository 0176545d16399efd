/** OpenID Connect for applications: discovery, sign-in, tokens and sign-out. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { createKeyedHash } from '../../lib/secrets/encryption.ts';
import { formBodies } from '../../plugins/bodies/form-bodies.ts';
import { addParameters } from '../applications/redirect-uris.ts';
import { addPageHooks, addPages, type FormRoute, type PageGroup } from '../pages/hosted/page-routes.ts';
import { type AuthorizeDeps, authorizePage } from './authorize-pages.ts';
import { type DevicePageDeps, devicePages } from './device/device-pages.ts';
import { createUserCodes, type UserCodeDeps } from './device/user-codes.ts';
import { discovery } from './discovery-routes.ts';
import { confirmEndSession, endSessionPage } from './end-session-pages.ts';
import { readParameters } from './parameters.ts';
import { type TokenEndpointDeps, tokenEndpoints } from './token-routes.ts';

type BrowserDeps = AuthorizeDeps & DevicePageDeps;
type OAuthDeps = Omit<TokenEndpointDeps & BrowserDeps, 'signRequest' | 'userCodes'> & UserCodeDeps;

export const oauth: FeaturePlugin<OAuthDeps> = async (app, deps) => {
  await app.register(formBodies);
  await app.register(discovery, deps);
  const signRequest = createKeyedHash(deps.secretKey, 'authorization-requests');
  const userCodes = createUserCodes(deps);
  await app.register(browserEndpoints, { ...deps, signRequest, userCodes });
  await app.register(tokenEndpoints, { ...deps, userCodes });
};

/** Where applications send people to sign in and out, and where people confirm devices. */
const browserEndpoints: FeaturePlugin<BrowserDeps> = async (app, deps) => {
  addPageHooks(app, () => deps.settings.current.hostedPages);
  const pages = [authorizePage(deps), endSessionPage(deps)];
  addPages(app, deps, {
    explain: explainClosed,
    routes: [...pages.flatMap((page) => [page, toRepetition(page)]), confirmEndSession(deps)],
  });
  addPages(app, deps, { explain: explainClosed, ...devicePages(deps) });
};

/** A form of another site comes without the cookie of the session: the same request by GET has it. */
const toRepetition = ({ path }: { readonly path: string }): FormRoute => ({
  ...{ path, config: { limits: ['documents'], checksOrigin: true }, isFromAnywhere: true },
  send: async ({ basePath }, { body }) => ({ url: addParameters(basePath + path, readParameters(body)) }),
});

const explainClosed: Required<PageGroup>['explain'] = async ({ texts: { text } }, { code }) =>
  code === 'not_found'
    ? { tone: 'warn', title: text('page.authorize.title'), paragraphs: [text('page.authorize.closed')] }
    : null;
