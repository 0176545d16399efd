/** OpenID Connect for applications: discovery, sign-in, tokens and sign-out. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SCOPES } from '../../callers/callers.ts';
import { type FeaturePlugin, getServiceOrigin } from '../../lib/routes/routes.ts';
import { createKeyedHash } from '../../lib/secrets/encryption.ts';
import { formBodies } from '../../plugins/bodies/form-bodies.ts';
import { allowEveryOrigin } from '../../plugins/cors.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { addParameters } from '../applications/redirect-uris.ts';
import { addPageHooks, addPages, type FormRoute, type PageGroup } from '../pages/hosted/page-routes.ts';
import { ALGORITHMS } from '../people/tokens/signing-keys/queries.ts';
import { PROMPTS } from './authorization-request.ts';
import { type AuthorizeDeps, authorizePage } from './authorize-pages.ts';
import { type DevicePageDeps, devicePages } from './device/device-pages.ts';
import { createUserCodes, type UserCodeDeps } from './device/user-codes.ts';
import { confirmEndSession, endSessionPage } from './end-session-pages.ts';
import { tags } from './endpoint-schemas.ts';
import { GRANT_TYPES, OFFLINE_ACCESS, OIDC_SCOPES, readParameters } from './parameters.ts';
import { type TokenEndpointDeps, tokenEndpoints } from './token-routes.ts';

type BrowserDeps = AuthorizeDeps & DevicePageDeps;
type OAuthDeps = Omit<TokenEndpointDeps & BrowserDeps, 'signRequest' | 'userCodes'> & UserCodeDeps;

export const oauth: FeaturePlugin<OAuthDeps> = async (app, deps) => {
  await app.register(formBodies);
  await app.register(discovery, deps);
  const signRequest = createKeyedHash(deps.secretKey, 'authorization-requests');
  const userCodes = createUserCodes(deps);
  await app.register(browserEndpoints, { ...deps, signRequest, userCodes });
  await app.register(tokenEndpoints, { ...deps, userCodes });
};

/** Where applications send people to sign in and out, and where people confirm devices. */
const browserEndpoints: FeaturePlugin<BrowserDeps> = async (app, deps) => {
  addPageHooks(app, () => deps.settings.current.hostedPages);
  const pages = [authorizePage(deps), endSessionPage(deps)];
  addPages(app, deps, {
    explain: explainClosed,
    routes: [...pages.flatMap((page) => [page, toRepetition(page)]), confirmEndSession(deps)],
  });
  addPages(app, deps, { explain: explainClosed, ...devicePages(deps) });
};

/** A form of another site comes without the cookie of the session: the same request by GET has it. */
const toRepetition = ({ path }: { readonly path: string }): FormRoute => ({
  ...{ path, config: { limits: ['documents'], checksOrigin: true }, isFromAnywhere: true },
  send: async ({ basePath }, { body }) => ({ url: addParameters(basePath + path, readParameters(body)) }),
});

const explainClosed: Required<PageGroup>['explain'] = async ({ texts: { text } }, { code }) =>
  code === 'not_found'
    ? { tone: 'warn', title: text('page.authorize.title'), paragraphs: [text('page.authorize.closed')] }
    : null;

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

const discovery: FeaturePlugin<{ readonly publicUrl: string }> = async (app, { publicUrl }) => {
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
