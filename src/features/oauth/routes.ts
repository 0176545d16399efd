/** OpenID Connect for applications: discovery, sign-in, tokens and sign-out. */
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { createKeyedHash } from '../../lib/secrets/encryption.ts';
import { isSameOrigin } from '../../plugins/access/console-request.ts';
import { formBodies } from '../../plugins/bodies/form-bodies.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { Problem } from '../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import { addParameters } from '../applications/redirect-uris.ts';
import { getBasePath } from '../pages/assets/assets.ts';
import { addPageHooks, createPages } from '../pages/hosted/page.ts';
import { createProblemPages } from '../pages/links/step-route.ts';
import { type AuthorizeDeps, authorize } from './authorize-pages.ts';
import { discovery } from './discovery-routes.ts';
import { CONFIRM_PATH, confirmEndSession, type EndSessionDeps, endSession } from './end-session-pages.ts';
import { renderNotice } from './notice-page.ts';
import { readParameters } from './parameters.ts';
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

export type BrowserDeps = AuthorizeDeps & EndSessionDeps & { readonly settings: CurrentSettingsSource };

export const browserEndpoints: FeaturePlugin<BrowserDeps> = async (app, deps) => {
  const { basePath, publicUrl } = deps;
  const renderProblem = createProblemPages(null, deps);
  const errorHandler = app.createPageErrorHandler((problem, request) =>
    problem.code === 'not_found' ? renderNotice(deps, request, CLOSED) : renderProblem(problem, request),
  );
  const own = { access: 'public', limits: ['documents'] } as const;
  const config = { ...own, checksOrigin: true } as const;
  const options = { schema: { hide: true }, config, errorHandler } as const;
  addPageHooks(app, deps);

  for (const [path, handle] of [
    ['/oauth/authorize', authorize],
    ['/oauth/end-session', endSession],
  ] as const) {
    const recorded = { ...options, config: { ...config, isRecorded: true } } as const;
    app.get(path, { ...recorded, exposeHeadRoute: false }, (_request, reply) => handle(deps, reply));

    // A form of another site comes without the cookie of the session: the same request by GET has it.
    app.post(path, { ...options, preValidation: optionalBody }, async ({ body }, reply) =>
      reply.redirect(addParameters(basePath + path, readParameters(body)), 303),
    );
  }

  app.post(
    CONFIRM_PATH,
    { ...options, config: own, preValidation: optionalBody },
    async ({ headers }, reply) => {
      if (!isSameOrigin(headers, publicUrl)) throw new Problem('cross_site_request');
      return confirmEndSession(deps, reply);
    },
  );
};

const CLOSED = {
  status: 404,
  tone: 'warn',
  title: 'page.authorize.title',
  paragraphs: ['page.authorize.closed'],
} as const;
