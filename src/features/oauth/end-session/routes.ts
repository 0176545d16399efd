/** `/oauth/end-session`: where applications send people to sign out. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { optionalBody } from '../../../plugins/json-bodies/json-bodies.ts';
import { Problem } from '../../../problems/problem.ts';
import { findApplication } from '../../applications/queries.ts';
import { toPolicySource } from '../../applications/redirect-uris.ts';
import { sendPage } from '../../pages/account-pages/page-view.ts';
import { createProblemPages } from '../../pages/account-pages/step-route.ts';
import { allowFormAction } from '../../pages/assets/assets.ts';
import { toQuery } from '../authorize/authorization-request.ts';
import type { AuthorizeDeps } from '../authorize/routes.ts';
import { type IdTokenDeps, readIdTokenHint } from '../id-token.ts';
import { getIssuer } from '../issuer.ts';
import { type Parameters, readParameters } from '../parameters.ts';
import { findTarget, mustAsk } from './end-session.ts';

type EndSessionDeps = AuthorizeDeps & IdTokenDeps;

const path = '/oauth/end-session';

export const endSessionEndpoint: FeaturePlugin<EndSessionDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createProblemPages(null, deps));
  const config = { access: 'public', limits: ['documents'], checksOrigin: true } as const;

  app.get(
    path,
    { schema: { hide: true }, config, errorHandler, exposeHeadRoute: false },
    async (request, reply) => endSession(deps, request, reply),
  );

  // A form of another site comes without the cookie of the session: the same request by GET has it.
  app.post(
    path,
    { schema: { hide: true }, config, errorHandler, preValidation: optionalBody },
    async (request, reply) => {
      const { values } = readParameters(request.body);
      if (values.confirmed === undefined)
        return reply.redirect(`${deps.basePath}${path}?${toQuery(values)}`, 303);
      if (!isSameOrigin(request.headers, deps.publicUrl)) throw new Problem('cross_site_request');
      return endSession(deps, request, reply);
    },
  );
};

async function endSession(deps: EndSessionDeps, request: FastifyRequest, reply: FastifyReply) {
  const { database, publicUrl, signInSessions } = deps;
  const { values } = readParameters(request.method === 'POST' ? request.body : request.query);
  const { id_token_hint = '', client_id } = values;
  const given = await readIdTokenHint(deps, id_token_hint, getIssuer(publicUrl, request.headers));
  const hint = client_id === undefined || client_id === given?.aud ? given : null;
  const id = hint?.aud ?? client_id ?? '';
  const application = isId(id) ? await findApplication(database, id) : undefined;
  const target = findTarget(application, values);
  const session = await signInSessions.find(request.headers);
  if (request.method === 'GET' && mustAsk(session, hint)) {
    const question = { name: application?.name ?? null, target, values };
    return askFirst(deps, request, reply, question);
  }
  await database.transaction(async (tx) => {
    if (hint !== null) await signInSessions.end(tx, { id: hint.sid, userId: hint.sub });
    if (session !== undefined) await signInSessions.end(tx, session);
  });
  reply.header('set-cookie', signInSessions.expiredCookie(request.headers));
  if (target !== null) return reply.code(303).header('location', target).send();
  return sendSignedOut(deps, request, reply, values);
}

// biome-ignore lint/complexity/useMaxParams: a page needs the request and its response
async function askFirst(
  { openPage, basePath }: EndSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, target, values }: { name: string | null; target: string | null; values: Parameters },
) {
  const { texts, render } = await openPage(request);
  const page = render({
    status: 200,
    template: 'end-session',
    title: texts.text('page.end_session.title'),
    text: texts.text('page.end_session.text'),
    action: texts.text('page.end_session.action'),
    name,
    url: basePath + path,
    values: Object.entries(values),
  });
  const headers = target === null ? page.headers : allowFormAction(page.headers, toPolicySource(target));
  return sendPage(reply, { ...page, headers });
}

// biome-ignore lint/complexity/useMaxParams: a page needs the request and its response
async function sendSignedOut(
  { openPage }: EndSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { post_logout_redirect_uri }: Parameters,
) {
  const { texts, render } = await openPage(request);
  const title = texts.text('page.signed_out.title');
  const paragraphs =
    post_logout_redirect_uri === undefined ? [] : [texts.text('page.signed_out.unknown_redirect_uri')];
  const content = { template: 'notice', tone: 'good', canRetry: false, newLinkUrl: null } as const;
  return sendPage(reply, render({ status: 200, ...content, title, paragraphs }));
}
