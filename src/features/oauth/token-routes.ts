/** Endpoints that applications call themselves. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getUserCaller } from '../../callers/callers.ts';
import type { Database, DatabaseDeps } from '../../database/database.ts';
import { cached } from '../../lib/queues/shared-work.ts';
import { type FeaturePlugin, getServiceOrigin } from '../../lib/routes/routes.ts';
import { hashToken, isRefreshToken } from '../../lib/secrets/tokens.ts';
import type { MonotonicClock } from '../../lib/time.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { allowRequestedHeaders, corsHeaders } from '../../plugins/cors.ts';
import { insufficientScope } from '../../problems/challenges.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { listApplications } from '../applications/queries.ts';
import { addParameters, includesUri, listOrigins } from '../applications/redirect-uris.ts';
import { recordEvent } from '../events/record-event.ts';
import { getCallerRecord } from '../people/tokens/find-token-caller.ts';
import { deleteTokenOfApplication, findLiveToken } from '../people/tokens/queries.ts';
import { NOT_CACHED, tokenBody } from '../people/tokens/token-responses.ts';
import { createFindVerifiedTokens, verifyTokens } from '../people/tokens/verify-tokens.ts';
import { authenticateClient } from './client-authentication.ts';
import { requestDevice } from './device/request-device.ts';
import type { UserCodes } from './device/user-codes.ts';
import * as operations from './endpoint-schemas.ts';
import { createOAuthErrorHandler, OAuthError } from './error-responses.ts';
import { exchangeGrant } from './exchange-grant.ts';
import { type IdTokenDeps, readClaims, signIdToken } from './id-token.ts';
import type { GrantDeps } from './issue-grant.ts';
import { readParameters } from './parameters.ts';
import { describeRefreshToken, revokeRefreshToken } from './refresh-tokens.ts';

export interface TokenEndpointDeps extends GrantDeps, IdTokenDeps, OriginDeps {
  readonly publicUrl: string;
  readonly userCodes: UserCodes;
}

export const tokenEndpoints: FeaturePlugin<TokenEndpointDeps> = async (app, deps) => {
  const allowOrigin = createAllowOrigin(deps);
  const origins = { checksOrigin: true, allowOrigin: allowOrigin() } as const;
  const config = { access: 'public', limits: ['application'], ...origins } as const;
  const errorHandler = createOAuthErrorHandler(app);
  const form = { config, errorHandler, ...operations.unchecked, preValidation: optionalBody };

  // Some pages send every request in credentials mode. The endpoint reads no cookie, so that this permits nothing more.
  const withCredentials = allowOrigin({ 'access-control-allow-credentials': 'true' });
  app.post(
    '/oauth/token',
    { ...form, schema: operations.tokenOperation, config: { ...config, allowOrigin: withCredentials } },
    async (request, reply) => reply.headers(NOT_CACHED).send(await exchange(deps, request)),
  );

  const devices = { ...form, schema: operations.deviceAuthorizationOperation };
  app.post('/oauth/device_authorization', devices, async (request, reply) =>
    reply.headers(NOT_CACHED).send(await beginDevice(deps, request)),
  );

  app.post('/oauth/revoke', { ...form, schema: operations.revokeOperation }, async (request) => {
    const { application, token } = await readTokenForm(deps, request);
    await (isRefreshToken(token) ? revokeRefreshToken : revokeToken)(deps, application, token);
    return {};
  });

  const introspection = {
    ...{ ...form, schema: operations.introspectOperation },
    config: { ...config, limits: ['documents'] } as const,
  };
  const introspect = createIntrospect(deps);
  app.post('/oauth/introspect', introspection, async (request, reply) =>
    reply.headers(NOT_CACHED).send(await introspect(request)),
  );

  const userinfo = { config: { access: 'user', ...origins }, errorHandler } as const;
  const sendUserinfo = createSendUserinfo(deps);
  app.get('/oauth/userinfo', { ...userinfo, schema: operations.userinfoOperation }, sendUserinfo);
  app.post('/oauth/userinfo', { ...userinfo, schema: { hide: true } }, sendUserinfo);
};

/** Creates the handler. It throws Problem insufficient_scope. */
const createSendUserinfo =
  ({ database }: DatabaseDeps) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = getUserCaller(request);
    if (!caller.scopes.includes('openid')) throw insufficientScope(['openid']);
    const claims = await readClaims(database, getCallerRecord(caller), caller.scopes);
    return reply.headers(NOT_CACHED).send(claims);
  };

/** Returns the response of RFC 6749 section 5.1. @throws OAuthError; Problem forbidden */
async function exchange(deps: TokenEndpointDeps, request: FastifyRequest) {
  const values = readParameters(request.body);
  const application = await authenticateClient(deps, request.headers, values);
  const issuer = getServiceOrigin(deps.publicUrl, request.headers);
  const exchanged = await exchangeGrant(deps, application, values);
  const { issued, refreshToken: refresh_token } = exchanged;
  const response = { ...tokenBody(issued), scope: issued.record.scopes, refresh_token };
  if (!exchanged.grant.scopes.split(' ').includes('openid')) return response;
  return { ...response, id_token: await signIdToken(deps, issuer, exchanged) };
}

/** Returns the response of RFC 8628 section 3.2. @throws OAuthError; Problem forbidden */
async function beginDevice(deps: TokenEndpointDeps, request: FastifyRequest) {
  const values = readParameters(request.body);
  const application = await authenticateClient(deps, request.headers, values);
  const verification_uri = `${getServiceOrigin(deps.publicUrl, request.headers)}/device`;
  const codes = await requestDevice(deps, { application, scope: values.scope });
  const { user_code } = codes;
  return {
    ...{ ...codes, verification_uri },
    verification_uri_complete: addParameters(verification_uri, { user_code }),
  };
}

/** Returns the function that says what a token is good for (RFC 7662 section 2.2). It throws an OAuthError. */
function createIntrospect(deps: DatabaseDeps) {
  const findVerifiedTokens = createFindVerifiedTokens(deps.database, deps.clock);
  return async (request: FastifyRequest) => {
    const { application, token } = await readTokenForm(deps, request);
    if (application.kind === 'public')
      throw new OAuthError('invalid_client', 'Only web applications introspect tokens');
    if (isRefreshToken(token)) return describeRefreshToken(deps, application, token);
    return (await verifyTokens({ findVerifiedTokens }, [token], []))[0];
  };
}

/** @throws OAuthError invalid_client, invalid_request */
async function readTokenForm(deps: DatabaseDeps, request: FastifyRequest) {
  const values = readParameters(request.body);
  const application = await authenticateClient(deps, request.headers, values);
  if (values.token === undefined) throw new OAuthError('invalid_request', 'token is required');
  return { application, token: values.token };
}

/** Does nothing for tokens of others (RFC 7009 section 2.1). */
async function revokeToken({ database, clock }: DatabaseDeps, { id }: ApplicationRow, token: string) {
  const tokenHash = hashToken(token);
  await database.transaction(async (tx) => {
    const now = clock();
    const found = await findLiveToken(tx, tokenHash, now);
    if (found === undefined || !(await deleteTokenOfApplication(tx, tokenHash, id))) return;
    const details = { token_id: found.token_id };
    await recordEvent(tx, { type: 'token.revoked', userId: found.id, details, now });
  });
  return {};
}

/** It runs before the limits of requests: a flood reads the database once a second. */
const CACHE_MS = 1_000;

interface OriginDeps {
  readonly database: Database;
  readonly monotonicClock: MonotonicClock;
}

/**
 * Creates the function that lets a page read the response, and send its headers, if an application has it as an origin.
 * `further` headers are added for it.
 */
function createAllowOrigin(deps: OriginDeps) {
  const listAll = async () =>
    (await listApplications(deps.database)).map(({ redirect_uris, kind }) => ({
      kind,
      origins: listOrigins(redirect_uris),
    }));
  const listApplicationOrigins = cached(listAll, { ...deps, lifetimeMs: CACHE_MS });
  return (further: object = {}) =>
    async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { origin } = headers;
      const vary = String(reply.getHeader('vary'));
      if (!/\bOrigin\b/.test(vary)) reply.header('vary', `${vary}, Origin`);
      if (origin === undefined) return;
      const applications = await listApplicationOrigins();
      if (!applications.some(({ origins, kind }) => includesUri(origins, origin, kind))) return;
      reply.headers({ ...corsHeaders(origin), ...allowRequestedHeaders(headers), ...further });
    };
}
