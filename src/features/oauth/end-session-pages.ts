/** Sign-out by applications (OpenID Connect RP-Initiated Logout 1.0). */

import type { FastifyReply } from 'fastify';
import { getServiceOrigin } from '../../lib/routes/routes.ts';
import { findApplication } from '../applications/queries.ts';
import { addParameters, isRegistered, toPolicySource } from '../applications/redirect-uris.ts';
import { allowFormAction } from '../pages/assets/assets.ts';
import { sendPage } from '../pages/hosted/page.ts';
import type { AuthorizeDeps } from './authorize-pages.ts';
import { type IdTokenDeps, type IdTokenHint, readIdTokenHint } from './id-token.ts';
import { renderNotice } from './notice-page.ts';
import { type Parameters, readParameters } from './parameters.ts';

export type EndSessionDeps = AuthorizeDeps & IdTokenDeps;

export const CONFIRM_PATH = '/oauth/end-session/confirm';

/** Asks first if somebody is signed in for whom no ID token speaks: a page of another site could sign people out. */
export async function endSession(deps: EndSessionDeps, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const values = readParameters(request.query);
  const signOut = await findSignOut(deps, reply, values);
  const { session, hint } = signOut;
  if (session === undefined || session.userId === hint?.sub) return end(deps, reply, signOut);
  const { target, name } = signOut;
  const { texts, render } = await deps.openPage(request);
  const page = render({
    status: 200,
    template: 'end-session',
    title: texts.text('page.end_session.title'),
    text: texts.text('page.end_session.text'),
    action: texts.text('page.end_session.action'),
    name,
    url: deps.basePath + CONFIRM_PATH,
    values: Object.entries(values),
  });
  const headers = target === null ? page.headers : allowFormAction(page.headers, toPolicySource(target));
  return sendPage(reply, { ...page, headers });
}

export async function confirmEndSession(deps: EndSessionDeps, reply: FastifyReply): Promise<FastifyReply> {
  return end(deps, reply, await findSignOut(deps, reply, readParameters(reply.request.body)));
}

type SignOut = Awaited<ReturnType<typeof findSignOut>>;

/** Returns the session, what the ID token proves, and where the browser is led: null if the URI is not registered. */
async function findSignOut(deps: EndSessionDeps, { request }: FastifyReply, values: Parameters) {
  const { database, publicUrl, signInSessions } = deps;
  const { id_token_hint = '', client_id, post_logout_redirect_uri: uri, state } = values;
  const given = await readIdTokenHint(deps, id_token_hint, getServiceOrigin(publicUrl, request.headers));
  const hint: IdTokenHint | null = [undefined, given?.aud].includes(client_id) ? given : null;
  const application = await findApplication(database, hint?.aud ?? client_id);
  const { post_logout_redirect_uris: registered = '[]', kind = 'web' } = application ?? {};
  const isKnown = uri !== undefined && isRegistered(registered, uri, kind);
  const target = isKnown ? addParameters(uri, { state }) : null;
  const session = await signInSessions.find(request.headers);
  return { session, hint, target, isUnknown: uri !== undefined && !isKnown, name: application?.name ?? null };
}

async function end(deps: EndSessionDeps, reply: FastifyReply, signOut: SignOut): Promise<FastifyReply> {
  const { session, hint, target, isUnknown } = signOut;
  const { database, signInSessions } = deps;
  const { request } = reply;
  await database.transaction(async (tx) => {
    if (hint !== null) await signInSessions.end(tx, { id: hint.sid, userId: hint.sub });
    if (session !== undefined) await signInSessions.end(tx, session);
  });
  reply.header('set-cookie', signInSessions.expiredCookie(request.headers));
  if (target !== null) return reply.code(303).header('location', target).send();
  const paragraphs = isUnknown ? (['page.signed_out.unknown_redirect_uri'] as const) : [];
  const texts = { title: 'page.signed_out.title', paragraphs: [...paragraphs] } as const;
  return sendPage(reply, await renderNotice(deps, request, { status: 200, tone: 'good', ...texts }));
}
