/** Verification of emails, also of those that an account is changed to. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeMessage } from '../../../plugins/openapi/describe-response.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { confirmEmail } from './confirm-email.ts';
import * as examples from './examples.ts';
import { checkRedirect, requestLink } from './request-link.ts';
import { linkTokenSchema, requestLinkSchema } from './schemas.ts';

const tags = ['Accounts'];

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
