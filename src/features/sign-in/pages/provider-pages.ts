/** The beginning of a sign-in with an identity provider, and the callback to which the provider leads back. */
import type { FastifyRequest } from 'fastify';
import { getServiceOrigin, toSearch } from '../../../lib/routes/routes.ts';
import { newRandomToken } from '../../../lib/secrets/tokens.ts';
import { HOUR } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import type { SignInOutcome } from '../../identity-providers/linking/sign-in.ts';
import { type ProviderRow, providerIdSchema, toRedirectUri } from '../../identity-providers/provider.ts';
import { providerStore } from '../../identity-providers/queries.ts';
import { beginSignIn, completeSignIn } from '../../identity-providers/upstream/sign-in.ts';
import type { PageContext } from '../../pages/hosted/page.ts';
import type { Outcome, PageGroup } from '../../pages/hosted/page-routes.ts';
import { toDestination, toEnd } from '../../pages/hosted/way.ts';
import { requireProof } from '../../people/sign-in/require-proof.ts';
import {
  formatChallengeCookie,
  formatSessionCookie,
  readSessionCookie,
} from '../../people/sign-in/session-cookie.ts';
import { getRecord } from '../../records/change-record.ts';
import { showAccountAgain } from './account-pages.ts';
import { type HostedPageDeps, SECOND_FACTOR, startSession } from './hosted-pages.ts';

const BROWSER_COOKIE = 'frontdesk-upstream';
const config = { limits: ['login'], isRecorded: true } as const;
const text = { type: 'string', maxLength: 4_096 } as const;
/** Members of a response by POST that the callback by GET needs. */
const postedResponse = {
  type: 'object',
  properties: { code: text, state: text, iss: text, error: text },
} as const;

/** The cookie to which sign-ins are bound. */
export const readBrowserToken = (deps: HostedPageDeps, { headers }: Pick<FastifyRequest, 'headers'>) =>
  readSessionCookie(deps, headers, BROWSER_COOKIE);

/** @throws Problem identity_provider_not_found, also for one that is switched off */
async function requireProvider({ database }: HostedPageDeps, { params }: FastifyRequest) {
  const provider = await getRecord(database, providerStore, (params as { readonly id: string }).id);
  if (provider.enabled !== 1) throw new Problem('identity_provider_not_found');
  return provider;
}

export function beginPages(deps: HostedPageDeps): PageGroup {
  const route = { path: '/sign-in/with/:id', params: providerIdSchema };
  return {
    show: showAccountAgain(deps),
    routes: [
      {
        ...{ ...route, config },
        async get(context, request) {
          const provider = await requireProvider(deps, request);
          // The response of the provider does not say where it leads, and in which language.
          const isKept = context.returnTo !== null || context.lang !== null;
          const returnTo = isKept ? toEnd(context) : null;
          const { url, cookie } = await beginIn(deps, request, { provider, returnTo, sessionId: null });
          return { url, cookies: [cookie] };
        },
      },
      {
        // Links an identity to the account of the session.
        ...{
          ...route,
          fields: ['current_password'],
          config: { ...config, recentSignIn: 'without password' },
        },
        async send(context, request) {
          const { clientIp, body, headers } = request;
          const provider = await requireProvider(deps, request);
          const session = await deps.signInSessions.find(headers);
          if (session === undefined) throw new Problem('unauthorized');
          const { user, authenticatedAt: signedInAt, id: sessionId } = session;
          const { current_password: currentPassword } = body as { readonly current_password?: string };
          const proof = { user, currentPassword, signedInAt, clientIp };
          const { returnTo } = context;
          const { url, cookie } = await requireProof(deps, proof, () =>
            beginIn(deps, request, { provider, returnTo, sessionId }),
          );
          return { ...toForwardPage(context, provider, url), cookies: [cookie] };
        },
      },
    ],
  };
}

export function callbackPages(deps: HostedPageDeps): PageGroup {
  const route = { path: '/sign-in/callback/:id', params: providerIdSchema };
  return {
    show: showAccountAgain(deps),
    routes: [
      {
        // A HEAD request must not complete a sign-in.
        ...{ ...route, config, exposeHeadRoute: false },
        async get(context, request) {
          const provider = await requireProvider(deps, request);
          const url = new URL(toRedirectUri(getServiceOrigin(deps.publicUrl, request.headers), provider.id));
          url.search = new URL(request.url, url).search;
          const { outcome, returnTo } = await completeSignIn(deps, {
            ...{ provider, url, clientIp: request.clientIp, issue: startSession(deps, request) },
            browserToken: readBrowserToken(deps, request) ?? '',
            session: await deps.signInSessions.find(request.headers),
          });
          return toOutcome(deps, { ...context, returnTo, request }, outcome);
        },
      },
      {
        // Apple sends its response so. Browsers send no cookie with it, but with the link of this page.
        ...{ ...route, body: postedResponse, isFromAnywhere: true },
        config: { limits: ['login'], checksOrigin: true },
        async send(context, request) {
          const provider = await requireProvider(deps, request);
          const query = toSearch(request.body as Record<string, string>);
          return toForwardPage(
            context,
            provider,
            `${context.basePath}/sign-in/callback/${provider.id}${query}`,
          );
        },
      },
    ],
  };
}

/** Returns the URL at the provider, and the cookie: that of the browser, so that sign-ins in several tabs can be completed. */
async function beginIn(
  deps: HostedPageDeps,
  request: FastifyRequest,
  way: {
    readonly provider: ProviderRow;
    readonly returnTo: string | null;
    readonly sessionId: string | null;
  },
) {
  const { headers } = request;
  const browserToken = readBrowserToken(deps, request) ?? newRandomToken();
  const redirectUri = toRedirectUri(getServiceOrigin(deps.publicUrl, headers), way.provider.id);
  const url = await beginSignIn(deps, { ...way, redirectUri, browserToken });
  const cookie = { token: browserToken, maxAge: HOUR / 1000, name: BROWSER_COOKIE };
  return { url, cookie: formatSessionCookie(deps, headers, cookie) };
}

/** Returns the page that leads on where a redirect cannot: `form-action` forbids it, or the cookie would not be sent. */
function toForwardPage({ texts: { text } }: PageContext, { name: provider }: ProviderRow, url: string) {
  const title = text('page.identity.continue.title', { provider });
  const links = [{ href: url, label: text('page.identity.continue.action') }];
  return { page: { title, links }, headers: { refresh: `0; url=${url}` } };
}

export const QUESTION_PATH = '/sign-in/identity';

/**
 * Leads to where the person wanted to go, to the question, or to the page of the second factor, which leads to
 * `afterCode`.
 */
export function toOutcome(
  deps: HostedPageDeps,
  way: Pick<PageContext, 'basePath' | 'toUrl' | 'returnTo' | 'lang'> & {
    readonly request: FastifyRequest;
    readonly afterCode?: string | null;
  },
  outcome: SignInOutcome,
): Outcome {
  const { basePath, toUrl, returnTo, lang, request, afterCode = returnTo } = way;
  switch (outcome.kind) {
    case 'question':
      return { url: toUrl(QUESTION_PATH, { return_to: returnTo }) };
    case 'challenge': {
      const { step, cookie } = formatChallengeCookie(deps, request.headers, { token: outcome.challenge });
      return { url: toUrl(SECOND_FACTOR, { return_to: afterCode, step }), cookies: [cookie] };
    }
    default: {
      return {
        url: toDestination({ basePath, returnTo, lang }),
        cookies: outcome.kind === 'signed_in' ? [outcome.cookie] : [],
      };
    }
  }
}
