/** The endpoints for applications in the OpenAPI description. */
import { recordSchema, text } from '../../lib/schema/json-schema.ts';
import { exampleId } from '../../lib/schema/query-parameters.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { tokenResponseSchema } from '../people/tokens/schemas.ts';
import { verifiedTokenSchema } from '../people/tokens/verify-route.ts';

export const tags = ['Sign-in of applications'];
const consumes = ['application/x-www-form-urlencoded'];

/** Options of routes whose parameters the handler checks, by the rules of the standard: the schema describes them. */
export const unchecked = { validatorCompiler: () => () => true };

const CLIENT = {
  client_id: 'Id of the application, unless it is in `Authorization: Basic`.',
  client_secret: 'Secret of a web application, unless it is in `Authorization: Basic`.',
};

/** Returns the schema of a form, to which every one adds the credentials of the application. */
function describeForm(descriptions: Readonly<Record<string, string>>) {
  const members = Object.entries({ ...descriptions, ...CLIENT });
  const properties = members.map(([name, description]) => [name, { type: 'string', description }]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: true } as const;
}

const ERRORS = {
  400: ['invalid_request', 'The request is not accepted, or another error of RFC 6749 section 5.2.', []],
  401: ['invalid_client', 'The application is unknown, or its secret is wrong.', ['WWW-Authenticate']],
  403: ['insufficient_scope', 'The token lacks the scope `openid`.', ['WWW-Authenticate']],
  413: ['invalid_request', 'The body is too large.', []],
  415: ['invalid_request', 'The body is no form.', ['Accept', 'Accept-Encoding']],
  429: ['temporarily_unavailable', 'Too many requests.', ['Retry-After']],
  500: ['server_error', 'An unexpected error.', []],
  503: ['temporarily_unavailable', 'The service is not available for a moment.', ['Retry-After']],
} as const;

const errorSchema = {
  title: 'OAuthError',
  ...recordSchema({ error: text, error_description: text }),
} as const;

/** Error responses in the form of RFC 6749 section 5.2, as `error-responses.ts` sends them. */
const errors = Object.fromEntries(
  Object.entries(ERRORS).map(([status, [error, description, names]]) => {
    const headers = Object.fromEntries(names.map((name) => [name, 'As in other responses.']));
    return [status, describeResponse(errorSchema, { description: `\`${error}\`: ${description}`, headers })];
  }),
);

const { access_token, token_type, expires_in } = tokenResponseSchema.properties;

export const tokenOperation = {
  operationId: 'exchangeCode',
  tags,
  consumes,
  summary: 'Exchange a code or a refresh token for a token',
  description:
    'Returns the token of the person for the application, as a login does (RFC 6749 section 4.1.3), and with the scope `openid` an ID token. A code is valid for 60 seconds and once: a second use revokes the token of the first. With the scope `offline_access`, an application with `refresh` gets a refresh token, replaced at each use (section 6). A device sends its `device_code` until the person has decided (RFC 8628 section 3.4): `authorization_pending`, `slow_down`, `access_denied` or `expired_token` before. The body is a form.',
  body: {
    ...describeForm({
      grant_type: '`authorization_code`, `refresh_token` or `urn:ietf:params:oauth:grant-type:device_code`.',
      code: 'The code.',
      device_code: 'That of the device.',
      redirect_uri: 'That of the authorization request.',
      code_verifier: 'The text of whose hash the authorization request has had (RFC 7636).',
      refresh_token: 'That of the last response.',
      scope: 'With a refresh token: fewer scopes than before.',
    }),
    examples: [
      {
        grant_type: 'authorization_code',
        client_id: exampleId,
        code: '4fQz1…',
        redirect_uri: 'https://wiki.example.com/callback',
        code_verifier: 'dBjftJeZ4CVP…',
      },
    ],
  },
  response: {
    200: describeResponse(
      {
        title: 'ExchangedCode',
        type: 'object',
        required: ['access_token', 'token_type', 'expires_in', 'scope'],
        properties: {
          ...{ access_token, token_type, expires_in },
          scope: { ...text, description: 'Separated by spaces.' },
          refresh_token: text,
          id_token: { ...text, description: 'A JWS in compact serialisation.' },
        },
      },
      'The token.',
      {
        token: {
          access_token: 'fd_pat_0Xk3vTqYw8sZb2LrNfGhJd5mPc7uQaEi9oVtRyB4xHn2wAj6k',
          token_type: 'Bearer',
          expires_in: 2_592_000,
          scope: 'self:read openid',
          id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
        },
      },
    ),
    ...errors,
  },
} as const;

export const deviceAuthorizationOperation = {
  operationId: 'authorizeDevice',
  tags,
  consumes,
  summary: 'Begin the sign-in of a device',
  description:
    'Returns codes for a program without a browser (RFC 8628 section 3.1), if the application has `device`. The program shows `user_code` and `verification_uri`, or `verification_uri_complete` as a QR code, and sends the `device_code` to `/oauth/token` every `interval` seconds. The body is a form.',
  body: {
    ...describeForm({ scope: 'As in an authorization request.' }),
    title: 'DeviceForm',
    examples: [{ client_id: exampleId, scope: 'openid email' }],
  },
  response: {
    200: describeResponse(
      {
        title: 'DeviceAuthorization',
        ...recordSchema({
          device_code: { ...text, description: 'Known to the device only.' },
          user_code: {
            ...text,
            description: 'To be typed: small letters, spaces and no hyphen are accepted.',
          },
          verification_uri: text,
          verification_uri_complete: { ...text, description: 'The same page with the code.' },
          expires_in: { type: 'integer', description: 'Seconds until both codes expire.' },
          interval: {
            type: 'integer',
            description: 'Least number of seconds between requests for the token.',
          },
        }),
      },
      'The codes.',
      {
        codes: {
          device_code: '4fQz1kTq8vYw3sZb2LrNfGhJd5mPc7uQaEi9oVtRyB0',
          user_code: 'WDJB-MJHT',
          verification_uri: 'https://accounts.example.com/device',
          verification_uri_complete: 'https://accounts.example.com/device?user_code=WDJB-MJHT',
          expires_in: 600,
          interval: 5,
        },
      },
    ),
    ...errors,
  },
} as const;

export const userinfoOperation = {
  operationId: 'getUserinfo',
  tags,
  summary: 'Get the claims about the person',
  description: 'Needs a token with the scope `openid` (OpenID Connect Core 1.0 section 5.3). Also by POST.',
  response: {
    200: describeResponse(
      {
        title: 'Userinfo',
        type: 'object',
        required: ['sub'],
        properties: {
          ...{ sub: text, name: text, email: text, email_verified: { type: 'boolean' } },
          groups: { type: 'array', items: text, description: 'Names of groups, sorted, by scope `groups`.' },
        },
        additionalProperties: true,
      },
      'The claims that the scopes of the token permit, and those of `app_metadata.claims`.',
      {
        claims: {
          ...{ sub: exampleId, name: 'Ada', email: 'ada@example.com', email_verified: true },
          ...{ groups: ['staff'], department: 'Research' },
        },
      },
    ),
    ...errors,
  },
} as const;

const tokenForm = {
  title: 'TokenForm',
  ...describeForm({ token: 'The token.' }),
  examples: [{ token: 'fd_pat_0Xk3v…', client_id: exampleId, client_secret: 'fd_app_4fQz1…' }],
};

export const revokeOperation = {
  operationId: 'revokeApplicationToken',
  tags,
  consumes,
  summary: 'Revoke a token of an application',
  description:
    'Revokes a token of the application (RFC 7009); a refresh token with all tokens that came from it. One that is unknown, or of another application, gets the same response. The body is a form.',
  body: tokenForm,
  response: {
    200: describeResponse({ type: 'object', properties: {} }, 'Revoked, or not valid anyway.', { done: {} }),
    ...errors,
  },
} as const;

export const introspectOperation = {
  operationId: 'introspectToken',
  tags,
  consumes,
  summary: 'Introspect a token',
  description:
    'Says whether a token is valid, and whose it is (RFC 7662), to a web application, also about its own refresh tokens (without `token_type`). The body is a form. `POST /api/v1/tokens/verify` does the same with JSON, for several tokens, with a credential and a higher limit.',
  body: tokenForm,
  response: {
    200: describeResponse({ ...verifiedTokenSchema, $id: undefined, title: 'VerifiedToken' }, 'The result.', {
      inactive: { active: false },
    }),
    ...errors,
  },
} as const;
