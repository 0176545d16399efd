/** Endpoints that applications call themselves. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { getUserCaller } from '../../callers/callers.ts';
import type { Database, DatabaseDeps } from '../../database/database.ts';
import { cached } from '../../lib/queues/shared-work.ts';
import { type FeaturePlugin, getServiceOrigin } from '../../lib/routes/routes.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { MonotonicClock } from '../../lib/time.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { allowRequestedHeaders, corsHeaders } from '../../plugins/cors.ts';
import { insufficientScope } from '../../problems/challenges.ts';
import { listApplications } from '../applications/queries.ts';
import { includesUri, listOrigins } from '../applications/redirect-uris.ts';
import { recordEvent } from '../events/record-event.ts';
import { getCallerRecord } from '../people/tokens/find-token-caller.ts';
import { deleteTokenOfApplication, findLiveToken } from '../people/tokens/queries.ts';
import { NOT_CACHED, tokenBody } from '../people/tokens/token-responses.ts';
import { createFindVerifiedTokens, verifyTokens } from '../people/tokens/verify-tokens.ts';
import { readClaims } from './claims.ts';
import { authenticateClient } from './client-authentication.ts';
import * as operations from './endpoint-schemas.ts';
import { createOAuthErrorHandler, OAuthError } from './error-responses.ts';
import { type ExchangeDeps, exchangeCode } from './exchange-code.ts';
import { type IdTokenDeps, signIdToken } from './id-token.ts';
import { type Parameters, readParameters } from './parameters.ts';

export interface TokenEndpointDeps extends ExchangeDeps, IdTokenDeps, OriginDeps {
  readonly publicUrl: string;
}

/** The lengths of RFC 7636 section 4.1, but any visible characters: some clients use others. */
const VERIFIER = /^[!-~]{43,128}$/;

export const tokenEndpoints: FeaturePlugin<TokenEndpointDeps> = async (app, deps) => {
  const allowOrigin = createAllowOrigin(deps);
  const origins = { checksOrigin: true, allowOrigin: allowOrigin() } as const;
  const config = { access: 'public', limits: ['login'], ...origins } as const;
  const errorHandler = createOAuthErrorHandler(app);
  const form = { config, errorHandler, ...operations.unchecked, preValidation: optionalBody };
  const findVerifiedTokens = createFindVerifiedTokens(deps.database, deps.clock);

  // Some pages send every request in credentials mode. The endpoint reads no cookie, so that this permits nothing more.
  const withCredentials = allowOrigin({ 'access-control-allow-credentials': 'true' });
  const token = { ...form, schema: operations.tokenOperation };
  app.post(
    '/oauth/token',
    { ...token, config: { ...config, allowOrigin: withCredentials } },
    async (request, reply) => reply.headers(NOT_CACHED).send(await exchange(deps, request)),
  );

  app.post('/oauth/revoke', { ...form, schema: operations.revokeOperation }, async (request) => {
    const { application, token } = await readTokenForm(deps, request);
    await revokeToken(deps, application.id, hashToken(token));
    return {};
  });

  const introspection = {
    ...{ ...form, schema: operations.introspectOperation },
    config: { ...config, limits: ['documents'] } as const,
  };
  app.post('/oauth/introspect', introspection, async (request, reply) => {
    const { application, token } = await readTokenForm(deps, request);
    if (application.kind === 'public')
      throw new OAuthError('invalid_client', 'Only web applications introspect tokens');
    const [result] = await verifyTokens({ findVerifiedTokens }, [token], []);
    return reply.headers(NOT_CACHED).send(result);
  });

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
  const exchanged = await exchangeCode(deps, application, readPresentedCode(values));
  if (exchanged === null)
    throw new OAuthError(
      'invalid_grant',
      'The code is wrong, has expired, was used before or belongs to another redirect_uri or code_verifier',
    );
  const { issued, code } = exchanged;
  const response = { ...tokenBody(issued), scope: issued.record.scopes };
  if (!code.scopes.split(' ').includes('openid')) return response;
  return { ...response, id_token: await signIdToken(deps, issuer, exchanged) };
}

/** @throws OAuthError invalid_request, unsupported_grant_type */
function readPresentedCode({ grant_type, code, redirect_uri, code_verifier }: Parameters) {
  if (grant_type === undefined) throw new OAuthError('invalid_request', 'grant_type is required');
  if (grant_type !== 'authorization_code')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code');
  if (code === undefined || redirect_uri === undefined)
    throw new OAuthError('invalid_request', 'code and redirect_uri are required');
  if (code_verifier !== undefined && !VERIFIER.test(code_verifier))
    throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 visible characters');
  return { code, redirectUri: redirect_uri, verifier: code_verifier };
}

/** @throws OAuthError invalid_client, invalid_request */
async function readTokenForm(deps: DatabaseDeps, request: FastifyRequest) {
  const values = readParameters(request.body);
  const application = await authenticateClient(deps, request.headers, values);
  if (values.token === undefined) throw new OAuthError('invalid_request', 'token is required');
  return { application, token: values.token };
}

/** Does nothing for tokens of others (RFC 7009 section 2.1). */
async function revokeToken({ database, clock }: DatabaseDeps, applicationId: string, tokenHash: string) {
  await database.transaction(async (tx) => {
    const now = clock();
    const found = await findLiveToken(tx, tokenHash, now);
    if (found === undefined || !(await deleteTokenOfApplication(tx, tokenHash, applicationId))) return;
    const details = { token_id: found.token_id };
    await recordEvent(tx, { type: 'token.revoked', userId: found.id, details, now });
  });
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
