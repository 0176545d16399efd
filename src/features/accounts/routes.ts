import { type HandlerContext, type HandlerResponse, type Route, route } from '../../http/route.ts';
import { callerRecord } from '../tokens/find-token-caller.ts';
import type { IssuedToken } from '../tokens/issue-token.ts';
import { tokenResponseSchema } from '../tokens/schemas.ts';
import { NOT_CACHED, tokenBody } from '../tokens/token-responses.ts';
import { user as exampleUser } from '../users/examples.ts';
import { userResponse } from '../users/user-responses.ts';
import * as examples from './examples.ts';
import { logIn } from './log-in.ts';
import { type AccountDeps, prepareRegistration, type Registration } from './register.ts';
import { currentUserSchema, loginSchema, registeredSchema, registerSchema } from './schemas.ts';

export interface AccountRouteDeps extends AccountDeps {
  readonly registration: 'open' | 'closed';
}

const tag = 'Accounts';

export function accountRoutes(deps: AccountRouteDeps): Route[] {
  return [registerRoute(deps), loginRoute(deps), currentUserRoute()];
}

function registerRoute(deps: AccountRouteDeps): Route {
  return route({
    method: 'POST',
    path: '/api/register',
    operationId: 'register',
    tag,
    summary: 'Register',
    description:
      'Creates an active account and returns its first token. Members that are not listed are ignored.',
    access: 'public',
    limits: ['register', 'register-hour'],
    isOpenTo: () => deps.registration === 'open',
    idempotent: true,
    body: registerSchema,
    bodyExample: examples.registration,
    responses: {
      201: {
        description: 'Registered and logged in.',
        schema: registeredSchema,
        headers: { Location: 'URL of the user.' },
        examples: { registered: examples.registered },
      },
    },
    problems: ['email_taken'],
    handle: (context) => register(deps, context),
  });
}

function loginRoute(deps: AccountRouteDeps): Route {
  return route({
    method: 'POST',
    path: '/api/login',
    operationId: 'login',
    tag,
    summary: 'Log in',
    description:
      'Returns a new token. A user has at most 50 tokens: the oldest is revoked when there would be more.',
    access: 'public',
    limits: ['login'],
    body: loginSchema,
    bodyExample: examples.credentials,
    responses: {
      200: { description: 'Logged in.', schema: tokenResponseSchema, examples: { token: examples.token } },
    },
    problems: ['invalid_login', 'email_not_verified', 'too_many_requests'],
    handle: async ({ body, clientIp }) => {
      const token = await logIn(deps, { ...body, clientIp });
      return { status: 200, headers: NOT_CACHED, body: tokenBody(token) };
    },
  });
}

function currentUserRoute(): Route {
  return route({
    method: 'GET',
    path: '/api/v1/me',
    operationId: 'getCurrentUser',
    tag,
    summary: 'Get the current user',
    access: 'user',
    scope: 'self:read',
    responses: {
      200: {
        description: 'The user of the token.',
        schema: currentUserSchema,
        headers: { ETag: 'Version of the record.' },
        examples: { user: { message: 'Current user', data: exampleUser } },
      },
    },
    handle: async ({ caller }) => userResponse(callerRecord(caller), 'Current user'),
  });
}

async function register(
  deps: AccountRouteDeps,
  { body, clientIp, transaction }: HandlerContext<'public', unknown, Registration>,
): Promise<HandlerResponse> {
  const { userId, store } = await prepareRegistration(deps, { ...body, clientIp });
  const response = await transaction(async (tx) => registeredResponse(userId, await store(tx)));
  deps.activity.userActive(userId);
  return response;
}

function registeredResponse(userId: string, token: IssuedToken): HandlerResponse {
  const { access_token, token_type, expires_in } = tokenBody(token);
  return {
    status: 201,
    headers: { ...NOT_CACHED, location: `/api/v1/users/${userId}` },
    body: { access_token, token_type, expires_in, data: { access_token, token_type } },
    createdResources: { userId, tokenHash: token.tokenHash },
  };
}
