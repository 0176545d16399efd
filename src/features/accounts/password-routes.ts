/** Changing a password, and setting it by a link. */
import { type Route, route } from '../../http/route.ts';
import { callerRecord } from '../tokens/find-token-caller.ts';
import { messageSchema } from '../tokens/schemas.ts';
import { changePassword } from './change-password.ts';
import * as examples from './examples.ts';
import type { AccountDeps } from './register.ts';
import { type LinkRequestDeps, requestLink } from './request-link.ts';
import { resetPassword } from './reset-password.ts';
import { linkTokenSchema, newPasswordSchema, passwordChangeSchema, requestLinkSchema } from './schemas.ts';

const tag = 'Accounts';

export function passwordRoutes(deps: AccountDeps & LinkRequestDeps): Route[] {
  return [changePasswordRoute(deps), requestPasswordResetRoute(deps), resetPasswordRoute(deps)];
}

function changePasswordRoute(deps: AccountDeps): Route {
  return route({
    method: 'PUT',
    path: '/api/v1/me/password',
    operationId: 'changePassword',
    tag,
    summary: 'Change the password',
    description:
      'Revokes every other token of the user and every link that was sent to them. A wrong current password counts as a failed login. The user gets a notice by email.',
    access: 'user',
    scope: 'self:write',
    limits: ['login'],
    body: passwordChangeSchema,
    bodyExample: examples.passwordChange,
    responses: {
      200: {
        description: 'The password is changed. The token of the request stays valid.',
        schema: messageSchema,
        examples: { changed: { message: 'Password changed' } },
      },
    },
    problems: ['too_many_requests'],
    handle: async ({ body, caller, clientIp }) => {
      const { current_password: currentPassword, password } = body;
      const { tokenHash } = caller;
      const user = callerRecord(caller);
      await changePassword(deps, { user, tokenHash, currentPassword, password, clientIp });
      return { status: 200, body: { message: 'Password changed' } };
    },
  });
}

const RESET_REQUESTED = 'If an account has this email, a link to set a new password will be sent to it';

function requestPasswordResetRoute(deps: LinkRequestDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/password-resets',
    operationId: 'requestPasswordReset',
    tag,
    summary: 'Request a link to set a new password',
    description:
      'Sends a link that is valid for one hour, if there is an account. The response is the same for every email.',
    access: 'public',
    limits: ['password-reset'],
    body: requestLinkSchema,
    bodyExample: { email: examples.credentials.email },
    responses: {
      202: {
        description: 'Accepted, whether or not there is an account.',
        schema: messageSchema,
        examples: { accepted: { message: RESET_REQUESTED } },
      },
    },
    handle: async ({ body }) => {
      await requestLink(deps, 'reset_password', body.email);
      return { status: 202, body: { message: RESET_REQUESTED } };
    },
  });
}

function resetPasswordRoute(deps: AccountDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/password-resets/{token}',
    operationId: 'resetPassword',
    tag,
    summary: 'Set a password by a link',
    description:
      'Completes a password reset, or claims an account that the administrator has created. Works once; a password that is rejected does not use the link up. Revokes every token and every other link of the user, and verifies their email.',
    access: 'public',
    limits: ['password-reset'],
    params: linkTokenSchema,
    body: newPasswordSchema,
    bodyExample: { password: examples.passwordChange.password },
    responses: {
      200: {
        description: 'The password is set. Log in with it.',
        schema: messageSchema,
        examples: { set: { message: 'Password set' } },
      },
    },
    problems: ['link_not_found'],
    handle: async ({ body, params, clientIp }) => {
      await resetPassword(deps, { token: params.token, password: body.password, clientIp });
      return { status: 200, body: { message: 'Password set' } };
    },
  });
}
