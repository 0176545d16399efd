/** Authorization endpoint (RFC 6749 section 4.1.1, RFC 9207): issues codes to people who are signed in. */
import type { FastifyReply } from 'fastify';
import type { DatabaseDeps } from '../../../database/database.ts';
import { getServiceOrigin } from '../../../lib/routes/service-origin.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import type { ApplicationRow } from '../../applications/application.ts';
import { findApplication } from '../../applications/queries.ts';
import { addParameters, isRegistered } from '../../applications/redirect-uris.ts';
import { sendPage } from '../../pages/account-pages/page-view.ts';
import type { PageDeps } from '../../pages/account-pages/step-route.ts';
import type { SignInSessions } from '../../sign-in/sessions/sessions.ts';
import { selectScopes } from '../claims.ts';
import { readParameters } from '../parameters.ts';
import { insertCode, NO_CHALLENGE } from '../queries.ts';
import { recordRejection } from '../record-rejection.ts';
import {
  acceptsSession,
  findRequestError,
  readPrompts,
  type SignRequest,
  toSignInPath,
} from './authorization-request.ts';
import { renderNotice } from './notice-page.ts';

/** Codes of successful programs are used within a second. */
const CODE_LIFETIME_MS = 60_000;

const REPEATED = { error: 'invalid_request', error_description: 'A parameter occurs twice' };
const UNREGISTERED = {
  error: 'invalid_request',
  error_description: 'redirect_uri is not registered',
  redirect_uri: null,
};

export interface AuthorizeDeps extends DatabaseDeps, PageDeps {
  readonly publicUrl: string;
  readonly signInSessions: SignInSessions;
  readonly signRequest: SignRequest;
}

export async function authorize(deps: AuthorizeDeps, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const values = readParameters(request.query);
  const { client_id, redirect_uri = '', state } = values;
  const iss = getServiceOrigin(deps.publicUrl, request.headers);
  const application = await findApplication(deps.database, client_id);
  if (application === undefined || !isRegistered(application.redirect_uris, redirect_uri, application.kind)) {
    const name = application === undefined ? 'unknown_application' : 'unknown_redirect_uri';
    request.rejection = name;
    if (application !== undefined) await recordRejection(deps, application.id, UNREGISTERED);
    const texts = { title: 'page.authorize.title', paragraphs: [`page.authorize.${name}`] } as const;
    return sendPage(reply, await renderNotice(deps, request, { status: 400, tone: 'warn', ...texts }));
  }
  const isRepeated = Object.values(request.query as object).some(Array.isArray);
  const rejected = isRepeated ? REPEATED : findRequestError(values, application);
  if (rejected !== null) await recordRejection(deps, application.id, { ...rejected, redirect_uri });
  const result = rejected ?? (await findCode(deps, reply, application));
  if (result !== null && 'error' in result)
    request.rejection = `${result.error}: ${result.error_description}`;
  // Set as a header, because Fastify would encode what is encoded.
  if (result !== null)
    return reply
      .code(303)
      .header('location', addParameters(redirect_uri, { ...result, state, iss }))
      .send();
  return reply.redirect(deps.basePath + toSignInPath(values, deps.clock(), deps.signRequest), 303);
}

/** Returns a new code, or an error; null if the person has to sign in first. */
async function findCode(
  { database, clock, signInSessions, signRequest: sign }: AuthorizeDeps,
  { request }: FastifyReply,
  application: ApplicationRow,
) {
  const values = readParameters(request.query);
  const session = await signInSessions.find(request.headers);
  const now = clock();
  if (session !== undefined && acceptsSession(values, session.authenticatedAt, { now, sign })) {
    const code = newRandomToken();
    const row = {
      hash: hashToken(code),
      application_id: application.id,
      // These were checked before.
      redirect_uri: values.redirect_uri!,
      challenge: values.code_challenge ?? NO_CHALLENGE,
      user_id: session.userId,
      session_id: session.id,
      scopes: selectScopes(values.scope, application),
      nonce: values.nonce ?? null,
      amr: session.amr.join(' '),
      authenticated_at: session.authenticatedAt,
      created_at: now,
      expires_at: now + CODE_LIFETIME_MS,
    };
    if (await database.transaction((tx) => insertCode(tx, row))) return { code };
  }
  const isSilent = readPrompts(values.prompt).includes('none');
  return isSilent ? { error: 'login_required', error_description: 'The person has to sign in' } : null;
}
