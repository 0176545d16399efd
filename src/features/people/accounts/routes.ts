import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import { type FeaturePlugin, NAME_PREFIXES } from '../../../lib/routes/routes.ts';
import { findPreferredLocale } from '../../../lib/text/locale.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { answerChallenge } from '../sign-in/answer-challenge.ts';
import { issueLoginToken, logIn } from '../sign-in/log-in.ts';
import { type SessionRouteDeps, signInSessions } from '../sign-in/session-routes.ts';
import type { IssuedToken } from '../tokens/issue-token.ts';
import { tokenResponseSchema } from '../tokens/schemas.ts';
import { NOT_CACHED, tokenBody } from '../tokens/token-responses.ts';
import { loginCodes } from './code-routes.ts';
import * as examples from './examples.ts';
import { prepareRegistration } from './register.ts';
import { checkRedirect } from './request-link.ts';
import { loginSchema, registeredSchema, registerSchema } from './schemas.ts';
import { totp } from './totp-routes.ts';
import { challengeSchema } from './totp-schemas.ts';

const tags = ['Accounts'];

const registerOperation = {
  tags,
  summary: 'Register',
  description:
    'Creates an active account and returns its first token. Members that are not listed are ignored. Also at `/api/v1/register`.',
  body: { ...registerSchema, examples: [examples.registration] },
  response: {
    201: describeResponse(registeredSchema, {
      description: 'Registered and logged in.',
      headers: { Location: 'URL of the user.' },
      examples: { registered: examples.registered },
    }),
  },
} as const;

const loginOperation = {
  tags,
  summary: 'Log in',
  description:
    'Returns a new token. A user has at most 50 tokens: the oldest is revoked when there would be more. A user with a second factor gets 403 `second_factor_required` and a `challenge` unless `code` is sent too. Also at `/api/v1/login`.',
  body: { ...loginSchema, examples: [examples.credentials] },
  response: {
    200: describeResponse({ ...tokenResponseSchema, title: 'LoginResponse' }, 'Logged in.', {
      token: examples.token,
    }),
  },
} as const;

const secondFactorRoute = {
  schema: {
    operationId: 'logInWithSecondFactor',
    tags,
    summary: 'Log in with a second factor',
    description:
      'Completes a login that was rejected with `second_factor_required`, with a code of the authenticator app or a recovery code. Each code is accepted once. A challenge is valid for five minutes and five codes; a wrong code counts as a failed login.',
    body: {
      ...challengeSchema,
      examples: [{ challenge: examples.challenge, code: examples.totpCode }],
    },
    response: loginOperation.response,
  },
  config: {
    access: 'public',
    limits: ['login'],
    problems: ['invalid_totp_code', 'challenge_expired', 'email_not_verified', 'too_many_requests'],
  },
} as const;

const login = {
  access: 'public',
  limits: ['login'],
  problems: [
    'invalid_login',
    'invalid_totp_code',
    'email_not_verified',
    'second_factor_required',
    'too_many_requests',
  ],
} as const;

function toRegisteredResponse(userId: string, token: IssuedToken): CreatedResponse {
  const { access_token, token_type, expires_in } = tokenBody(token);
  return {
    status: 201,
    headers: { ...NOT_CACHED, location: `/api/v1/users/${userId}` },
    body: { access_token, token_type, expires_in, data: { access_token, token_type } },
    createdResources: { userId, tokenHash: token.tokenHash },
  };
}

export const accounts: FeaturePlugin<AccountDeps & SessionRouteDeps> = async (app, deps) => {
  const issue = issueLoginToken(deps);
  await app.register(secondFactor, deps);
  await app.register(loginCodes, deps);
  await app.register(totp, deps);
  await app.register(signInSessions, deps);
  const registration = {
    access: 'public',
    isOpenTo: () => deps.settings.current.registration === 'open',
    limits: ['register', 'register-hour'],
    idempotent: true,
    problems: ['email_taken'],
  } as const;

  for (const { prefix, idSuffix } of NAME_PREFIXES) {
    app.post(
      `${prefix}/register`,
      { schema: { ...registerOperation, operationId: `register${idSuffix}` }, config: registration },
      ({ body, headers, clientIp }, reply) =>
        reply.sendOnce(async () => {
          const redirectTo = checkRedirect(deps, body.redirect_to);
          const locale = body.locale ?? findPreferredLocale(headers['accept-language']);
          const registration = { ...body, locale, redirectTo, clientIp };
          const { userId, store } = await prepareRegistration(deps, registration, issue);
          return {
            store: async (tx) => toRegisteredResponse(userId, await store(tx)),
            onStored: () => deps.activity.userActive(userId),
          };
        }),
    );

    app.post(
      `${prefix}/login`,
      { schema: { ...loginOperation, operationId: `login${idSuffix}` }, config: login },
      async ({ body, clientIp }, reply) => {
        const token = await logIn(deps, { ...body, clientIp }, issue);
        return reply.headers(NOT_CACHED).send(tokenBody(token));
      },
    );
  }
};

const secondFactor: FeaturePlugin<AccountDeps> = async (app, deps) => {
  const issue = issueLoginToken(deps);
  app.post('/api/v1/login/second-factor', secondFactorRoute, async ({ body, clientIp }, reply) => {
    const token = await answerChallenge(deps, { ...body, clientIp }, issue);
    return reply.headers(NOT_CACHED).send(tokenBody(token));
  });
};
