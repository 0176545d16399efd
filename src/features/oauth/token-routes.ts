/** Endpoints that applications call themselves. */
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { hashToken, isToken } from '../../lib/secrets/tokens.ts';
import { optionalBody } from '../../plugins/json-bodies/json-bodies.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteTokenOfApplication, findLiveToken } from '../tokens/queries.ts';
import { NOT_CACHED, tokenBody } from '../tokens/token-responses.ts';
import { createFindVerifiedTokens, verifyTokens } from '../tokens/verification/verify-tokens.ts';
import { authenticateClient } from './client-authentication.ts';
import * as operations from './endpoint-schemas.ts';
import { createOAuthErrorHandler } from './error-responses.ts';
import { type ExchangeDeps, exchangeCode } from './exchange-code.ts';
import { type IdTokenDeps, signIdToken } from './id-token.ts';
import { getIssuer } from './issuer.ts';
import { OAuthError } from './oauth-error.ts';
import { createAllowOrigin } from './origin-hook.ts';
import { type Parameters, readParameters } from './parameters.ts';

export interface TokenEndpointDeps extends ExchangeDeps, IdTokenDeps {
  readonly publicUrl: string;
}

export const tokenEndpoints: FeaturePlugin<TokenEndpointDeps> = async (app, deps) => {
  const { database, clock } = deps;
  const allowOrigin = createAllowOrigin(deps);
  const errorHandler = createOAuthErrorHandler(app, allowOrigin);
  app.addHook('onRequest', allowOrigin);
  const findVerifiedTokens = createFindVerifiedTokens(database, clock);
  const preValidation = optionalBody;
  const config = { access: 'public', limits: ['login'], checksOrigin: true } as const;
  const options = { ...operations.unchecked, config, errorHandler, preValidation };

  app.post('/oauth/token', { ...options, schema: operations.tokenOperation }, async (request, reply) => {
    const body = await exchange(deps, request);
    return reply.headers(NOT_CACHED).send(body);
  });

  app.post('/oauth/revoke', { ...options, schema: operations.revokeOperation }, async (request) => {
    const { values } = readParameters(request.body);
    const application = await authenticateClient(deps, request.headers.authorization, values);
    await revokeToken(deps, application.id, requireToken(values));
    return {};
  });

  const introspection = { ...config, limits: ['documents'] } as const;
  app.post(
    '/oauth/introspect',
    { ...options, config: introspection, schema: operations.introspectOperation },
    async (request, reply) => {
      const { values } = readParameters(request.body);
      const application = await authenticateClient(deps, request.headers.authorization, values);
      if (application.kind === 'public')
        throw new OAuthError('invalid_client', 'Only web applications introspect tokens');
      const [result] = await verifyTokens({ findVerifiedTokens }, [requireToken(values)], []);
      return reply.headers(NOT_CACHED).send(result);
    },
  );
};

/** Returns the response of RFC 6749 section 5.1. @throws OAuthError; Problem forbidden */
async function exchange(deps: TokenEndpointDeps, request: FastifyRequest) {
  const { values } = readParameters(request.body);
  const application = await authenticateClient(deps, request.headers.authorization, values);
  const issuer = getIssuer(deps.publicUrl, request.headers);
  const exchanged = await exchangeCode(deps, application, readPresentedCode(values));
  if (exchanged === null)
    throw new OAuthError('invalid_grant', 'The code is wrong, has expired or was used before');
  const { issued, user, code } = exchanged;
  const response = { ...tokenBody(issued), scope: issued.record.scopes };
  if (!code.scopes.split(' ').includes('openid')) return response;
  const { accessToken } = issued;
  return { ...response, id_token: await signIdToken(deps, { issuer, application, user, code, accessToken }) };
}

/** @throws OAuthError invalid_request, unsupported_grant_type */
function readPresentedCode({ grant_type, code, redirect_uri, code_verifier }: Parameters) {
  if (grant_type === undefined) throw new OAuthError('invalid_request', 'grant_type is required');
  if (grant_type !== 'authorization_code')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code');
  if (code === undefined || redirect_uri === undefined || code_verifier === undefined)
    throw new OAuthError('invalid_request', 'code, redirect_uri and code_verifier are required');
  return { code, redirectUri: redirect_uri, verifier: code_verifier };
}

function requireToken({ token }: Parameters): string {
  if (token === undefined) throw new OAuthError('invalid_request', 'token is required');
  return token;
}

/** Tokens of others, and what is no token, are left alone (RFC 7009 section 2.2). */
async function revokeToken(
  { database, clock }: TokenEndpointDeps,
  applicationId: string,
  text: string,
): Promise<void> {
  if (!isToken(text)) return;
  await database.transaction(async (tx) => {
    const now = clock();
    const found = await findLiveToken(tx, hashToken(text), now);
    if (found === undefined || !(await deleteTokenOfApplication(tx, hashToken(text), applicationId))) return;
    const details = { token_id: found.token_id };
    await recordEvent(tx, { type: 'token.revoked', userId: found.id, details, now });
  });
}
