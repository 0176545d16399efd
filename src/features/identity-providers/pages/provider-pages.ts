/** The beginning of a sign-in with a provider, and the callback to which the provider leads back. */
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { optionalBody } from '../../../plugins/json-bodies/json-bodies.ts';
import { Problem } from '../../../problems/problem.ts';
import { type PageRequest, sendPage } from '../../pages/account-pages/page-view.ts';
import { readReturnTo } from '../../sign-in/return-to.ts';
import { requireProof } from '../../users/accounts/passwords/require-proof.ts';
import { findProvider, type ProviderRow } from '../queries.ts';
import { toRedirectUri } from '../routes.ts';
import { parseProviderId } from '../rules.ts';
import { providerIdSchema } from '../schemas.ts';
import { beginSignIn } from '../upstream/begin-sign-in.ts';
import { completeSignIn } from '../upstream/complete-sign-in.ts';
import { readBrowserToken, renewBrowserToken } from './browser-cookie.ts';
import {
  createIdentityErrorPages,
  type ProviderPageDeps,
  renderIdentityPage,
  sendOutcome,
  startSession,
} from './outcome-pages.ts';

const schema = { hide: true, params: providerIdSchema } as const;
const config = { access: 'public', limits: ['login'], isRecorded: true } as const;
const text = { type: 'string', maxLength: 4_096 } as const;
const querystring = { type: 'object', properties: { return_to: text } } as const;
const linkForm = { type: 'object', properties: { current_password: text } } as const;
/** Members of a response by POST that the callback by GET needs. */
const responseForm = {
  type: 'object',
  properties: { code: text, state: text, iss: text, error: text },
} as const;

/** @throws Problem identity_provider_not_found, also for one that is switched off */
async function requireProvider({ database }: ProviderPageDeps, { id }: { readonly id: string }) {
  const provider = await findProvider(database, parseProviderId(id));
  if (provider?.enabled !== 1) throw new Problem('identity_provider_not_found');
  return provider;
}

export const beginPages: FeaturePlugin<ProviderPageDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createIdentityErrorPages(deps));
  const path = '/sign-in/with/:id';

  app.get(path, { schema: { ...schema, querystring }, config, errorHandler }, async (request, reply) => {
    const provider = await requireProvider(deps, request.params);
    const headers = await beginIn(deps, request, { provider, sessionId: null });
    return reply.code(303).headers(headers).send();
  });

  // Links an identity to the account of the session. A link that another page contains must not do that.
  const linkSchema = { ...schema, querystring, body: linkForm };
  const options = { schema: linkSchema, config, preValidation: optionalBody, errorHandler };
  app.post(path, options, async (request, reply) => {
    if (!isSameOrigin(request.headers, deps.publicUrl)) throw new Problem('cross_site_request');
    const { clientIp, body } = request;
    const provider = await requireProvider(deps, request.params);
    const session = await deps.signInSessions.find(request.headers);
    if (session === undefined) throw new Problem('unauthorized');
    const { user, authenticatedAt: signedInAt, id: sessionId } = session;
    const proof = { user, currentPassword: body.current_password, signedInAt, clientIp };
    const begin = () => beginIn(deps, request, { provider, sessionId });
    return reply
      .code(303)
      .headers(await requireProof(deps, proof, begin))
      .send();
  });
};

export const callbackPages: FeaturePlugin<ProviderPageDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createIdentityErrorPages(deps));
  const path = '/sign-in/callback/:id';

  app.get(path, { schema, config, errorHandler }, async (request, reply) => {
    const provider = await requireProvider(deps, request.params);
    const { headers, clientIp } = request;
    const url = new URL(getRedirectUri(deps, request, provider));
    url.search = new URL(request.url, url).search;
    const settled = await completeSignIn(deps, {
      ...{ provider, url, clientIp, issue: startSession(deps, request) },
      browserToken: readBrowserToken(deps.publicUrl, headers),
      session: await deps.signInSessions.find(headers),
    });
    return sendOutcome(deps, reply, { ...settled, provider });
  });

  const options = {
    schema: { ...schema, body: responseForm },
    config: { access: 'public', limits: ['login'], checksOrigin: true },
    errorHandler,
  } as const;
  app.post(path, options, async (request, reply) => {
    const provider = await requireProvider(deps, request.params);
    return sendPage(reply, await continuePage(deps, request as PageRequest & { body: unknown }, provider));
  });
};

function getRedirectUri(
  { publicUrl }: ProviderPageDeps,
  { headers }: Pick<FastifyRequest, 'headers'>,
  { id }: ProviderRow,
): string {
  return toRedirectUri(publicUrl, id, headers.host);
}

/** Returns the headers of the redirect to the provider. */
async function beginIn(
  deps: ProviderPageDeps,
  request: Pick<FastifyRequest, 'headers' | 'query'>,
  { provider, sessionId }: { readonly provider: ProviderRow; readonly sessionId: string | null },
) {
  const { token: browserToken, cookie } = renewBrowserToken(deps.publicUrl, request.headers);
  const returnTo = readReturnTo(request.query as { return_to?: string });
  const redirectUri = getRedirectUri(deps, request, provider);
  const url = await beginSignIn(deps, { provider, redirectUri, browserToken, returnTo, sessionId });
  return { location: url, 'set-cookie': cookie };
}

/**
 * Returns the page that takes up a response by POST, which browsers send without the cookie: they send it with the link of
 * this page.
 */
async function continuePage(
  deps: ProviderPageDeps,
  request: PageRequest & { readonly body: unknown },
  provider: ProviderRow,
) {
  const { texts } = await deps.openPage(request);
  const given = (request.body ?? {}) as Readonly<Record<string, string>>;
  const href = `${deps.basePath}/sign-in/callback/${provider.id}?${new URLSearchParams(given)}`;
  const label = texts.text('page.identity.continue.action');
  const title = texts.text('page.identity.continue.title', { provider: provider.name });
  const page = { status: 200, title, paragraphs: [], links: [{ href, label }] };
  return renderIdentityPage(deps, request, page);
}
