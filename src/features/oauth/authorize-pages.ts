/** Authorization endpoint (RFC 6749 section 4.1.1, RFC 9207): issues codes to people who are signed in. */
import type { FastifyRequest } from 'fastify';
import type { DatabaseDeps, Reader } from '../../database/database.ts';
import { getServiceOrigin } from '../../lib/routes/routes.ts';
import { hashToken, newRandomToken } from '../../lib/secrets/tokens.ts';
import { MINUTE } from '../../lib/time.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { findApplication, isAllowed, lockApplications } from '../applications/queries.ts';
import { addParameters, isRegistered } from '../applications/redirect-uris.ts';
import { formatApplicationSubject } from '../applications/rules.ts';
import { findLatestEvent } from '../events/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import type { HostedPage, PageContext, PageDeps } from '../pages/hosted/page.ts';
import type { Outcome, PageRoute } from '../pages/hosted/page-routes.ts';
import type { SignInSessions } from '../people/sign-in/sessions.ts';
import {
  acceptsSession,
  findRequestError,
  readPrompts,
  type SignRequest,
  toSignInPath,
} from './authorization-request.ts';
import { type IdTokenDeps, readIdTokenHint } from './id-token.ts';
import { type Parameters, readParameters, selectScopes } from './parameters.ts';
import { insertCode, NO_CHALLENGE } from './queries.ts';

/** Codes of successful programs are used within a second. */
const CODE_LIFETIME_MS = 60_000;

const REPEATED = { error: 'invalid_request', error_description: 'A parameter occurs twice' };
/** RFC 6749 section 4.1.2.1. */
const DENIED = {
  error: 'access_denied',
  error_description: 'The person is in no group that may use the application',
};
const UNREGISTERED = {
  error: 'invalid_request',
  error_description: 'redirect_uri is not registered',
  redirect_uri: null,
};

export interface AuthorizeDeps extends PageDeps, DatabaseDeps, IdTokenDeps {
  readonly signInSessions: SignInSessions;
  readonly signRequest: SignRequest;
}

/** Options of the endpoints for browsers. A HEAD request must not have an effect. */
export const ENDPOINT = {
  config: { limits: ['documents'], checksOrigin: true, isRecorded: true },
  exposeHeadRoute: false,
} as const;

export const authorizePage = (deps: AuthorizeDeps): PageRoute => ({
  ...{ path: '/oauth/authorize', ...ENDPOINT },
  async get(context, request) {
    const values = readParameters(request.query);
    const { client_id, redirect_uri = '', state } = values;
    const iss = getServiceOrigin(deps.publicUrl, request.headers);
    const application = await findApplication(deps.database, client_id);
    if (application === undefined || !isRegistered(application.redirect_uris, redirect_uri, application.kind))
      return rejectApplication(deps, context, { request, application });
    const isRepeated = Object.values(request.query as object).some(Array.isArray);
    const rejected = isRepeated ? REPEATED : findRequestError(values, application);
    if (rejected !== null) await recordRejection(deps, application.id, { ...rejected, redirect_uri });
    const result = rejected ?? (await findCode(deps, request, application));
    if (result !== null && 'error' in result)
      request.rejection = `${result.error}: ${result.error_description}`;
    if (result === DENIED) await recordRejection(deps, application.id, { ...DENIED, redirect_uri });
    const signing = { now: deps.clock(), sign: deps.signRequest };
    const signInUrl = context.basePath + toSignInPath(values, context.lang, signing);
    if (result === null) return { url: signInUrl };
    const url = addParameters(redirect_uri, { ...result, state, iss });
    const isShown = result === DENIED && !isSilent(values);
    return isShown ? denyAccess(context, { name: application.name, url, signInUrl }) : { url };
  },
});

/** A redirect URI that is not registered is never led to (RFC 6749 section 3.1.2.4). */
async function rejectApplication(
  deps: AuthorizeDeps,
  { texts: { text } }: PageContext,
  { request, application }: { request: FastifyRequest; application: ApplicationRow | undefined },
): Promise<Outcome> {
  const name = application === undefined ? 'unknown_application' : 'unknown_redirect_uri';
  request.rejection = name;
  if (application !== undefined) await recordRejection(deps, application.id, UNREGISTERED);
  const paragraphs = [text(`page.authorize.${name}`)];
  return { page: { tone: 'warn', title: text('page.authorize.title'), paragraphs }, status: 400 };
}

/** Returns the page for somebody who may not use an application, which leads to the sign-in with another account. */
export function toDeniedPage(
  { texts: { text } }: PageContext,
  { application, signInUrl }: Readonly<Record<'application' | 'signInUrl', string>>,
) {
  return {
    tone: 'lock',
    title: text('page.authorize.denied.title', { application }),
    paragraphs: [text('page.authorize.denied.text', { application })],
    links: [{ href: signInUrl, label: text('page.authorize.denied.other') }],
  } satisfies HostedPage;
}

/** Says that the person may not use the application, to which the page leads back with the error. */
function denyAccess(
  context: PageContext,
  { name, url, signInUrl }: Readonly<Record<'name' | 'url' | 'signInUrl', string>>,
): Outcome {
  const label = context.texts.text('page.authorize.denied.back', { application: name });
  const { links, ...page } = toDeniedPage(context, { application: name, signInUrl });
  return {
    page: { ...page, links: [{ href: url, label, isMain: true }, ...links], isEntry: true },
    status: 403,
  };
}

const isSilent = ({ prompt }: Parameters) => readPrompts(prompt).includes('none');

/** Returns a new code, or an error; null if the person has to sign in first. */
async function findCode(deps: AuthorizeDeps, request: FastifyRequest, application: ApplicationRow) {
  const { database, clock, signInSessions, signRequest: sign } = deps;
  const values = readParameters(request.query);
  const session = await signInSessions.find(request.headers);
  const isOther = session !== undefined && (await isOtherPerson(deps, request, session.userId));
  const now = clock();
  if (session !== undefined && !isOther && acceptsSession(values, session.authenticatedAt, { now, sign })) {
    if (!(await isAllowed(database, application, session.userId))) return DENIED;
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
  return isSilent(values) || (isOther && values.requested_at !== undefined)
    ? { error: 'login_required', error_description: 'The person has to sign in' }
    : null;
}

/**
 * Returns whether the request has a valid `id_token_hint` of another person: nobody else may get the code (OpenID Connect
 * Core 1.0 section 3.1.2.2).
 */
async function isOtherPerson(deps: AuthorizeDeps, { query, headers }: FastifyRequest, userId: string) {
  const { id_token_hint } = readParameters(query);
  if (id_token_hint === undefined) return false;
  const hint = await readIdTokenHint(deps, id_token_hint, getServiceOrigin(deps.publicUrl, headers));
  return hint !== null && hint.sub !== userId;
}

const TYPE = 'application.rejected';

/** Records one event per minute and application, so that a flood of requests costs reads only. */
async function recordRejection(
  { database, clock }: DatabaseDeps,
  applicationId: string,
  /** `redirect_uri`: null if it is not registered, because others choose it. */
  rejection: {
    readonly error: string;
    readonly error_description: string;
    readonly redirect_uri: string | null;
  },
): Promise<void> {
  const subject = formatApplicationSubject(applicationId);
  const now = clock();
  const isRecent = async (reader: Reader) => {
    const latest = await findLatestEvent(reader, subject, TYPE);
    return latest !== undefined && latest.created_at > now - MINUTE;
  };
  if (await isRecent(database)) return;
  const { error, error_description: description, redirect_uri } = rejection;
  await database.transaction(async (tx) => {
    await lockApplications(tx);
    if (await isRecent(tx)) return;
    const event = {
      type: TYPE,
      subject,
      actor: 'anonymous',
      outcome: 'failure',
      namesClient: false,
    } as const;
    await recordEvent(tx, { ...event, reason: error, details: { error, description, redirect_uri }, now });
  });
}
