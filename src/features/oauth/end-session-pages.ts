/** Sign-out by applications (OpenID Connect RP-Initiated Logout 1.0). */
import type { FastifyRequest } from 'fastify';
import { getServiceOrigin } from '../../lib/routes/routes.ts';
import { findApplication } from '../applications/queries.ts';
import { addParameters, isRegistered, toPolicySource } from '../applications/redirect-uris.ts';
import type { HostedPage, PageContext } from '../pages/hosted/page.ts';
import { createForm } from '../pages/hosted/page-forms.ts';
import type { FormRoute, Outcome, PageRoute } from '../pages/hosted/page-routes.ts';
import { type AuthorizeDeps, ENDPOINT } from './authorize-pages.ts';
import { type IdTokenHint, readIdTokenHint } from './id-token.ts';
import { type Parameters, readParameters } from './parameters.ts';

const CONFIRM_PATH = '/oauth/end-session/confirm';

export const endSessionPage = (deps: AuthorizeDeps): PageRoute => ({
  ...{ path: '/oauth/end-session', ...ENDPOINT },
  async get(context, request) {
    const values = readParameters(request.query);
    const signOut = await findSignOut(deps, request, values);
    const { session, hint } = signOut;
    const isAsked = session !== undefined && session.userId !== hint?.sub;
    return isAsked ? { page: toQuestion(context, signOut, values) } : endSession(deps, context, signOut);
  },
});

export const confirmEndSession = (deps: AuthorizeDeps): FormRoute => ({
  ...{ path: CONFIRM_PATH, config: { limits: ['documents'] } },
  send: async (context, request) =>
    endSession(deps, context, await findSignOut(deps, request, readParameters(request.body))),
});

/** Returns the question whether to sign out. A request without a valid ID token may come from a page of another site. */
function toQuestion(context: PageContext, { target, name }: SignOut, values: Parameters): HostedPage {
  const { text } = context.texts;
  const form = { path: CONFIRM_PATH, label: text('people.sign_out.action'), fields: [], isMain: true };
  return {
    title: text('people.sign_out.title'),
    about: name,
    paragraphs: [text('page.end_session.text')],
    forms: [createForm(context, { ...form, hidden: Object.entries(values) })],
    formActionSource: target === null ? undefined : toPolicySource(target),
  };
}

type SignOut = Awaited<ReturnType<typeof findSignOut>>;

/** Returns the session, what the ID token proves, and where the browser is led: null if the URI is not registered. */
async function findSignOut(deps: AuthorizeDeps, { headers }: FastifyRequest, values: Parameters) {
  const { database, publicUrl, signInSessions } = deps;
  const { id_token_hint = '', client_id, post_logout_redirect_uri: uri, state } = values;
  const given = await readIdTokenHint(deps, id_token_hint, getServiceOrigin(publicUrl, headers));
  const hint: IdTokenHint | null = [undefined, given?.aud].includes(client_id) ? given : null;
  const application = await findApplication(database, hint?.aud ?? client_id);
  const { post_logout_redirect_uris: registered = '[]', kind = 'web' } = application ?? {};
  const isKnown = uri !== undefined && isRegistered(registered, uri, kind);
  const target = isKnown ? addParameters(uri, { state }) : null;
  const session = await signInSessions.find(headers);
  const cookies = [signInSessions.expiredCookie(headers)];
  const isUnknown = uri !== undefined && !isKnown;
  return { session, hint, target, isUnknown, cookies, name: application?.name ?? null };
}

async function endSession(
  { database, signInSessions }: AuthorizeDeps,
  { texts: { text } }: PageContext,
  { session, hint, target, isUnknown, cookies }: SignOut,
): Promise<Outcome> {
  await database.transaction(async (tx) => {
    if (hint !== null) await signInSessions.end(tx, { id: hint.sid, userId: hint.sub });
    if (session !== undefined) await signInSessions.end(tx, session);
  });
  if (target !== null) return { url: target, cookies };
  const paragraphs = isUnknown ? [text('page.signed_out.unknown_redirect_uri')] : [];
  return { page: { tone: 'good', title: text('people.sign_out.done'), paragraphs }, cookies };
}
