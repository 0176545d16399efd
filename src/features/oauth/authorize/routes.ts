/** `/oauth/authorize`: where applications send people to sign in. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DatabaseDeps } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { optionalBody } from '../../../plugins/json-bodies/json-bodies.ts';
import { type ApplicationRow, findApplication } from '../../applications/queries.ts';
import { addParameters, isRegistered } from '../../applications/redirect-uris.ts';
import { sendPage } from '../../pages/account-pages/page-view.ts';
import { createProblemPages, type PageDeps } from '../../pages/account-pages/step-route.ts';
import type { SignInSessions } from '../../sign-in/sessions/sessions.ts';
import { selectScopes } from '../claims.ts';
import { getIssuer } from '../issuer.ts';
import { type Parameters, readParameters } from '../parameters.ts';
import { insertCode } from '../queries.ts';
import {
  acceptsSession,
  findRequestError,
  readPrompts,
  toQuery,
  toSignInPath,
} from './authorization-request.ts';

/** Codes of successful programs are used within a second. */
const CODE_LIFETIME_MS = 60_000;

export interface AuthorizeDeps extends DatabaseDeps, PageDeps {
  readonly publicUrl: string;
  readonly signInSessions: SignInSessions;
}

export const authorizationEndpoint: FeaturePlugin<AuthorizeDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createProblemPages(null, deps));
  const config = { access: 'public', limits: ['documents'], checksOrigin: true } as const;
  const path = '/oauth/authorize';

  app.get(
    path,
    { schema: { hide: true }, config, errorHandler, exposeHeadRoute: false },
    async (request, reply) => authorize(deps, request, reply),
  );

  // A form of another site comes without the cookie of the session: the same request by GET has it.
  app.post(
    path,
    { schema: { hide: true }, config, errorHandler, preValidation: optionalBody },
    async ({ body }, reply) =>
      reply.redirect(`${deps.basePath}${path}?${toQuery(readParameters(body).values)}`, 303),
  );
};

async function authorize(deps: AuthorizeDeps, request: FastifyRequest, reply: FastifyReply) {
  const { values, hasDuplicates } = readParameters(request.query);
  const iss = getIssuer(deps.publicUrl, request.headers);
  const client = await findClient(deps, values);
  if (typeof client === 'string') return sendErrorPage(deps, request, reply, client);
  const { application, redirectUri } = client;
  const redirect = (result: Parameters) => {
    const location = addParameters(redirectUri, { ...result, state: values.state, iss });
    return reply.code(303).header('location', location).send();
  };
  const error = findRequestError(values, hasDuplicates);
  if (error !== null) return redirect({ ...error });
  const code = await issueCode(deps, request, { application, redirectUri, values });
  if (code !== null) return redirect({ code });
  if (readPrompts(values.prompt).includes('none'))
    return redirect({ error: 'login_required', error_description: 'The person has to sign in' });
  return reply.redirect(deps.basePath + toSignInPath(values, deps.clock()), 303);
}

/** Returns the application and the redirect URI if it is one of its; otherwise the text of the page that says why not. */
async function findClient(
  { database }: AuthorizeDeps,
  { client_id: id = '', redirect_uri = '' }: Parameters,
) {
  const application = isId(id) ? await findApplication(database, id) : undefined;
  if (application === undefined) return 'page.authorize.unknown_application';
  const isKnown = isRegistered(JSON.parse(application.redirect_uris), redirect_uri, application.kind);
  return isKnown ? { application, redirectUri: redirect_uri } : 'page.authorize.unknown_redirect_uri';
}

// biome-ignore lint/complexity/useMaxParams: a page needs the request and its response
async function sendErrorPage(
  { openPage }: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  text: Extract<Awaited<ReturnType<typeof findClient>>, string>,
) {
  const { texts, render } = await openPage(request);
  const title = texts.text('page.authorize.title');
  const content = { template: 'notice', tone: 'warn', canRetry: false, newLinkUrl: null } as const;
  return sendPage(reply, render({ status: 400, ...content, title, paragraphs: [texts.text(text)] }));
}

/** Returns a new code; null if the person has to sign in first. */
async function issueCode(
  { database, clock, signInSessions }: AuthorizeDeps,
  { headers }: FastifyRequest,
  {
    application,
    redirectUri,
    values,
  }: {
    readonly application: ApplicationRow;
    readonly redirectUri: string;
    readonly values: Parameters;
  },
): Promise<string | null> {
  const session = await signInSessions.find(headers);
  const now = clock();
  const isNew = readPrompts(values.prompt).includes('create');
  if (session === undefined || isNew || !acceptsSession(values, session.authenticatedAt, now)) return null;
  const code = newRandomToken();
  const row = {
    hash: hashToken(code),
    application_id: application.id,
    user_id: session.userId,
    session_id: session.id,
    redirect_uri: redirectUri,
    // Checked before.
    challenge: values.code_challenge!,
    scopes: selectScopes(values.scope),
    nonce: values.nonce ?? null,
    amr: session.amr.join(' '),
    authenticated_at: session.authenticatedAt,
    created_at: now,
    expires_at: now + CODE_LIFETIME_MS,
  };
  return (await database.transaction((tx) => insertCode(tx, row))) ? code : null;
}
