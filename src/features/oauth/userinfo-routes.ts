/** Claims about the person of a token, and preflights of pages that read them. */
import type { FastifyRequest } from 'fastify';
import { getUserCaller } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { insufficientScope } from '../../problems/challenges.ts';
import { getCallerRecord } from '../tokens/find-token-caller.ts';
import { getClaims } from './claims.ts';
import { userinfoOperation } from './endpoint-schemas.ts';
import { createOAuthErrorHandler } from './error-responses.ts';
import { createAllowOrigin, PREFLIGHT_HEADERS } from './origin-hook.ts';

export const userinfoEndpoint: FeaturePlugin<{ readonly database: Database }> = async (app, deps) => {
  const allowOrigin = createAllowOrigin(deps);
  const errorHandler = createOAuthErrorHandler(app, allowOrigin);
  app.addHook('onRequest', allowOrigin);
  const sendClaims = async (request: FastifyRequest) => {
    const caller = getUserCaller(request);
    if (!caller.scopes.includes('openid')) throw insufficientScope(['openid']);
    return getClaims(getCallerRecord(caller), caller.scopes);
  };
  const path = '/oauth/userinfo';
  const config = { access: 'user', checksOrigin: true } as const;
  app.get(path, { schema: userinfoOperation, config, errorHandler }, sendClaims);
  app.post(path, { schema: { hide: true }, config, errorHandler }, sendClaims);

  // Each reads the origins of all applications.
  const preflight = { schema: { hide: true }, config: { access: 'public', limits: ['documents'] } } as const;
  const methods = { '/oauth/token': 'OPTIONS, POST', [path]: 'GET, HEAD, OPTIONS, POST' };
  for (const [url, allow] of Object.entries(methods)) {
    const headers = { ...PREFLIGHT_HEADERS, allow };
    app.options(url, preflight, (_request, reply) => reply.code(204).headers(headers).send());
  }
};
