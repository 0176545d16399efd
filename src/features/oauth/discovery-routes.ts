/** Metadata of the authorization server (OpenID Connect Discovery 1.0, RFC 8414, RFC 9207). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { SCOPES } from '../../callers/callers.ts';
import { type FeaturePlugin, getServiceOrigin } from '../../lib/routes/routes.ts';
import { allowEveryOrigin } from '../../plugins/cors.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { ALGORITHMS } from '../people/tokens/signing-keys/queries.ts';
import { PROMPTS } from './authorization-request.ts';
import { tags } from './endpoint-schemas.ts';
import { GRANT_TYPES, OFFLINE_ACCESS, OIDC_SCOPES } from './parameters.ts';

const discoveryOperation = {
  operationId: 'getOpenIdConfiguration',
  tags,
  summary: 'Get the OpenID Connect configuration',
  description:
    'Returns the endpoints and what they support (OpenID Connect Discovery 1.0, RFC 8414). `/oauth/authorize` and `/oauth/end-session` are pages for browsers: [OpenID Connect](/docs/oidc) describes their parameters.',
  response: {
    200: describeResponse({ type: 'object', additionalProperties: true }, 'The configuration.', {
      configuration: { issuer: 'https://accounts.example.com' },
    }),
  },
} as const;

export const discovery: FeaturePlugin<{ readonly publicUrl: string }> = async (app, { publicUrl }) => {
  const config = { access: 'public', limits: ['documents'], allowOrigin: allowEveryOrigin } as const;
  const send = async ({ headers }: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .send(describeServer(getServiceOrigin(publicUrl, headers)));
  app.get('/.well-known/openid-configuration', { schema: discoveryOperation, config }, send);
  app.get('/.well-known/oauth-authorization-server', { schema: { hide: true }, config }, send);
};

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

function describeServer(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    end_session_endpoint: `${issuer}/oauth/end-session`,
    scopes_supported: [...OIDC_SCOPES, OFFLINE_ACCESS, ...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ALGORITHMS,
    token_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, 'none'],
    revocation_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, 'none'],
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: PROMPTS,
    claims_supported: [
      ...['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'nonce', 'at_hash', 'amr', 'sid'],
      ...['email', 'email_verified', 'name', 'groups'],
    ],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  };
}
