/** Changing a password, and setting it or verifying an email by a link. */
import { getUserCaller } from '../../../callers/callers.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeMessage } from '../../../plugins/openapi/describe-response.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { toProof } from '../sign-in/require-proof.ts';
import { changePassword } from './change-password.ts';
import { confirmEmail } from './confirm-email.ts';
import * as examples from './examples.ts';
import { checkRedirect, requestLink } from './request-link.ts';
import { resetPassword } from './reset-password.ts';
import { linkTokenSchema, newPasswordSchema, passwordChangeSchema, requestLinkSchema } from './schemas.ts';
import { PROVEN } from './totp-schemas.ts';

const tags = ['Accounts'];
const PASSWORD_CHANGED = 'Password changed';

const changePasswordRoute = {
  schema: {
    operationId: 'changePassword',
    tags,
    summary: 'Change the password',
    description:
      'Revokes every other token of the user and every link that was sent to them. A wrong current password counts as a failed login. The user gets a notice by email.',
    body: { ...passwordChangeSchema, examples: [examples.passwordChange] },
    response: {
      200: describeMessage('The password is changed. The token of the request stays valid.', {
        changed: PASSWORD_CHANGED,
      }),
    },
  },
  config: { ...PROVEN, problems: ['too_many_requests'] },
} as const;

const RESET_REQUESTED = 'If an account has this email, a link to set a new password will be sent to it';

const requestPasswordResetRoute = {
  schema: {
    operationId: 'requestPasswordReset',
    tags,
    summary: 'Request a link to set a new password',
    description:
      'Sends a link that is valid for one hour, if there is an account. The response is the same for every email.',
    body: { ...requestLinkSchema, examples: [{ email: examples.credentials.email }] },
    response: {
      202: describeMessage('Accepted, whether or not there is an account.', { accepted: RESET_REQUESTED }),
    },
  },
  config: { access: 'public', limits: ['password-reset'] },
} as const;

const PASSWORD_SET = 'Password set';

const resetPasswordRoute = {
  schema: {
    operationId: 'resetPassword',
    tags,
    summary: 'Set a password by a link',
    description:
      'Completes a password reset, or claims an account that the administrator has created. Works once; a password that is rejected does not use the link up. Revokes every token and every other link of the user, and verifies their email.',
    params: linkTokenSchema,
    body: { ...newPasswordSchema, examples: [{ password: examples.passwordChange.password }] },
    response: { 200: describeMessage('The password is set. Log in with it.', { set: PASSWORD_SET }) },
  },
  config: { access: 'public', limits: ['password-reset'], problems: ['link_not_found'] },
} as const;

export const passwords: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.put('/api/v1/me/password', changePasswordRoute, async (request) => {
    const { tokenHash } = getUserCaller(request);
    await changePassword(deps, { ...toProof(request), tokenHash, password: request.body.password });
    return { message: PASSWORD_CHANGED };
  });

  app.post('/api/v1/password-resets', requestPasswordResetRoute, async ({ body }, reply) => {
    const redirectTo = checkRedirect(deps, body.redirect_to);
    await requestLink(deps, { kind: 'reset_password', email: body.email, redirectTo });
    return reply.code(202).send({ message: RESET_REQUESTED });
  });

  app.post('/api/v1/password-resets/:token', resetPasswordRoute, async ({ body, params, clientIp }) => {
    await resetPassword(deps, { token: params.token, password: body.password, clientIp });
    return { message: PASSWORD_SET };
  });
};

const VERIFICATION_REQUESTED =
  'If an account has this email and has not verified it, a link will be sent to it';

const requestEmailVerificationRoute = {
  schema: {
    operationId: 'requestEmailVerification',
    tags,
    summary: 'Request another link to verify an email',
    description:
      'Registration sends the first one. The link is valid for seven days. The response is the same for every email.',
    body: { ...requestLinkSchema, examples: [{ email: examples.credentials.email }] },
    response: {
      202: describeMessage('Accepted, whether or not there is an account.', {
        accepted: VERIFICATION_REQUESTED,
      }),
    },
  },
  config: { access: 'public', limits: ['email-verification'] },
} as const;

const MESSAGES = { verified: 'Email verified', changed: 'Email changed' };

const confirmEmailRoute = {
  schema: {
    operationId: 'confirmEmail',
    tags,
    summary: 'Confirm an email by a link',
    description:
      'Verifies the email of an account, or completes the change to another one. Works once; a link whose email is taken meanwhile stays valid. A body is ignored.',
    params: linkTokenSchema,
    response: { 200: describeMessage('The email is verified.', MESSAGES) },
  },
  config: { access: 'public', problems: ['link_not_found', 'email_taken'] },
} as const;

/** Verification of emails, also of those that an account is changed to. */
export const emailVerifications: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.post('/api/v1/email-verifications', requestEmailVerificationRoute, async ({ body }, reply) => {
    const redirectTo = checkRedirect(deps, body.redirect_to);
    await requestLink(deps, { kind: 'verify_email', email: body.email, redirectTo });
    return reply.code(202).send({ message: VERIFICATION_REQUESTED });
  });

  app.post('/api/v1/email-verifications/:token', confirmEmailRoute, async ({ params }) => {
    return { message: MESSAGES[await confirmEmail(deps, params.token)] };
  });
};
