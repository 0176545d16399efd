/** The beginning of a sign-in with an identity provider, and the callback to which the provider leads back. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FeaturePlugin, getServiceOrigin } from '../../../lib/routes/routes.ts';
import { newRandomToken } from '../../../lib/secrets/tokens.ts';
import { HOUR } from '../../../lib/time.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import { Problem } from '../../../problems/problem.ts';
import type { SignInOutcome } from '../../identity-providers/linking/sign-in.ts';
import { findProvider, type ProviderRow } from '../../identity-providers/queries.ts';
import { parseProviderId, toRedirectUri } from '../../identity-providers/rules.ts';
import { providerIdSchema } from '../../identity-providers/schemas.ts';
import { beginSignIn } from '../../identity-providers/upstream/begin-sign-in.ts';
import { completeSignIn } from '../../identity-providers/upstream/complete-sign-in.ts';
import { sendPage } from '../../pages/hosted/page.ts';
import { formSchema } from '../../pages/hosted/page-forms.ts';
import { requireProof } from '../../people/sign-in/require-proof.ts';
import {
  formatChallengeCookie,
  formatSessionCookie,
  readSessionCookie,
} from '../../people/sign-in/session-cookie.ts';
import { rejectedPage } from './account-pages.ts';
import {
  createFormErrors,
  type HostedPageDeps,
  openHostedPage,
  redirect,
  requireSameOrigin,
  SECOND_FACTOR,
  startSession,
} from './hosted-pages.ts';

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

export const QUESTION_PATH = '/sign-in/identity';

export const addReturnTo = (path: string, returnTo: string | null) =>
  returnTo === null ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`;

/**
 * Redirects to where the person wanted to go, to the question, or to the page of the second factor, which leads to
 * `afterCode`.
 */
export function sendOutcome(
  { basePath, publicUrl }: HostedPageDeps,
  reply: FastifyReply,
  {
    outcome,
    returnTo,
    afterCode = returnTo,
  }: {
    readonly outcome: SignInOutcome;
    readonly returnTo: string | null;
    readonly afterCode?: string | null;
  },
): FastifyReply {
  switch (outcome.kind) {
    case 'question':
      return redirect(reply, basePath + addReturnTo(QUESTION_PATH, returnTo));
    case 'challenge': {
      const cookie = formatChallengeCookie(publicUrl, reply.request.headers, outcome.challenge);
      return redirect(reply, basePath + addReturnTo(SECOND_FACTOR, afterCode), [cookie]);
    }
    default:
      return redirect(
        reply,
        basePath + (returnTo ?? '/account'),
        outcome.kind === 'signed_in' ? [outcome.cookie] : [],
      );
  }
}
