/** The beginning of a sign-in with an identity provider, and the callback to which the provider leads back. */
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../../lib/routes/feature-plugin.ts';
import { getServiceOrigin } from '../../../../lib/routes/service-origin.ts';
import { newRandomToken } from '../../../../lib/secrets/tokens.ts';
import { HOUR } from '../../../../lib/time/clock.ts';
import { optionalBody } from '../../../../plugins/json-bodies/json-bodies.ts';
import { Problem } from '../../../../problems/problem.ts';
import { type ProviderRow, providerIdSchema, toRedirectUri } from '../../../identity-providers/provider.ts';
import { findProvider } from '../../../identity-providers/queries.ts';
import { parseProviderId } from '../../../identity-providers/rules.ts';
import { beginSignIn, completeSignIn } from '../../../identity-providers/upstream/sign-in.ts';
import { sendPage } from '../../../pages/account-pages/page-view.ts';
import { requireProof } from '../../../users/accounts/passwords/require-proof.ts';
import { formatSessionCookie, readSessionCookie } from '../../sessions/session-cookie.ts';
import { rejectedPage } from '../account-pages.ts';
import {
  createFormErrors,
  type HostedPageDeps,
  openHostedPage,
  redirect,
  requireSameOrigin,
  startSession,
} from '../hosted-pages.ts';
import { formSchema } from '../page-forms.ts';
import { sendOutcome } from './outcome-responses.ts';

const BROWSER_COOKIE = 'frontdesk-upstream';
const text = { type: 'string', maxLength: 4_096 } as const;
const schema = { hide: true, params: providerIdSchema } as const;
const config = { access: 'public', limits: ['login'], isRecorded: true } as const;
/** Members of a response by POST that the callback by GET needs. */
const properties = { code: text, state: text, iss: text, error: text } as const;

/** The cookie to which sign-ins are bound. */
export const readBrowserToken = (
  { publicUrl }: HostedPageDeps,
  { headers }: Pick<FastifyRequest, 'headers'>,
) => readSessionCookie(publicUrl, headers, BROWSER_COOKIE);

/** @throws Problem identity_provider_not_found, also for one that is switched off */
async function requireProvider({ database }: HostedPageDeps, { id }: { readonly id: string }) {
  const provider = await findProvider(database, parseProviderId(id));
  if (provider?.enabled !== 1) throw new Problem('identity_provider_not_found');
  return provider;
}

export const beginPages: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, rejectedPage(deps)));
  const path = '/sign-in/with/:id';

  app.get(path, { schema, config, errorHandler }, async (request, reply) => {
    const provider = await requireProvider(deps, request.params);
    const { url, cookie } = await beginIn(deps, request, { provider, sessionId: null });
    return redirect(reply, url, [cookie]);
  });

  // Links an identity to the account of the session.
  const link = {
    schema: { ...schema, body: formSchema(['current_password']) },
    config: { ...config, recentSignIn: 'without password' },
    errorHandler,
  } as const;
  app.post(path, { ...link, preValidation: optionalBody }, async (request, reply) => {
    requireSameOrigin(request as FastifyRequest, deps);
    const { params, clientIp, body } = request;
    const provider = await requireProvider(deps, params);
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) throw new Problem('unauthorized');
    const { user, authenticatedAt: signedInAt, id: sessionId } = session;
    const { current_password: currentPassword } = body as { readonly current_password?: string };
    const { url, cookie } = await requireProof(deps, { user, currentPassword, signedInAt, clientIp }, () =>
      beginIn(deps, request, { provider, sessionId }),
    );
    return sendPage(reply.header('set-cookie', cookie), await forwardPage(deps, request, { provider, url }));
  });
};

export const callbackPages: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, rejectedPage(deps)));
  const path = '/sign-in/callback/:id';

  // A HEAD request must not complete a sign-in.
  const callback = { schema, config, errorHandler, exposeHeadRoute: false } as const;
  app.get(path, callback, async (request, reply) => {
    const provider = await requireProvider(deps, request.params);
    const url = new URL(toRedirectUri(getServiceOrigin(deps.publicUrl, request.headers), provider.id));
    url.search = new URL(request.url, url).search;
    const { outcome, returnTo } = await completeSignIn(deps, {
      ...{ provider, url, clientIp: request.clientIp, issue: startSession(deps, request) },
      browserToken: readBrowserToken(deps, request) ?? '',
      session: await deps.signInSessions.find(request.headers),
    });
    return sendOutcome(deps, reply, { outcome, returnTo });
  });

  // Apple sends its response so. Browsers send no cookie with it, but with the link of this page.
  const options = { schema: { ...schema, body: { type: 'object', properties } }, errorHandler } as const;
  const posted = { access: 'public', limits: ['login'], checksOrigin: true } as const;
  app.post(path, { ...options, config: posted }, async (request, reply) => {
    const provider = await requireProvider(deps, request.params);
    const query = new URLSearchParams(request.body as Record<string, string>);
    const url = `${deps.basePath}/sign-in/callback/${provider.id}?${query}`;
    return sendPage(reply, await forwardPage(deps, request, { provider, url }));
  });
};

/** Returns the URL at the provider, and the cookie: that of the browser, so that sign-ins in several tabs can be completed. */
async function beginIn(
  deps: HostedPageDeps,
  request: Parameters<typeof openHostedPage>[1],
  { provider, sessionId }: { readonly provider: ProviderRow; readonly sessionId: string | null },
) {
  const { publicUrl } = deps;
  const { headers } = request;
  const browserToken = readBrowserToken(deps, request) ?? newRandomToken();
  const redirectUri = toRedirectUri(getServiceOrigin(publicUrl, headers), provider.id);
  const { returnTo } = await openHostedPage(deps, request);
  const url = await beginSignIn(deps, { provider, redirectUri, browserToken, returnTo, sessionId });
  const cookie = { token: browserToken, maxAge: HOUR / 1000, name: BROWSER_COOKIE };
  return { url, cookie: formatSessionCookie(publicUrl, headers, cookie) };
}

/** Returns the page that leads on where a redirect cannot: `form-action` forbids it, or the cookie would not be sent. */
async function forwardPage(
  deps: HostedPageDeps,
  request: Parameters<typeof openHostedPage>[1],
  { provider, url }: { readonly provider: ProviderRow; readonly url: string },
) {
  const { texts, render } = await openHostedPage(deps, request);
  const title = texts.text('page.identity.continue.title', { provider: provider.name });
  const links = [{ href: url, label: texts.text('page.identity.continue.action') }];
  const page = render({ title, links });
  return { ...page, headers: { ...page.headers, refresh: `0; url=${url}` } };
}
