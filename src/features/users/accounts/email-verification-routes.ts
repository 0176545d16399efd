/** Verification of emails, also of those that an account is changed to. */
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { messageSchema } from '../../tokens/schemas.ts';
import type { AccountDeps } from './account-deps.ts';
import { checkRedirect } from './email/check-redirect.ts';
import { confirmEmail } from './email/confirm-email.ts';
import { requestLink } from './email/request-link.ts';
import * as examples from './examples.ts';
import { linkTokenSchema, requestLinkSchema } from './schemas.ts';

const tags = ['Accounts'];

const VERIFICATION_REQUESTED =
  'If an account has this email and has not verified it, a link will be sent to it';

const requestEmailVerificationOperation = {
  operationId: 'requestEmailVerification',
  tags,
  summary: 'Request another link to verify an email',
  description:
    'Registration sends the first one. The link is valid for seven days. The response is the same for every email.',
  body: { ...requestLinkSchema, examples: [{ email: examples.credentials.email }] },
  response: {
    202: describeResponse(messageSchema, {
      description: 'Accepted, whether or not there is an account.',
      examples: { accepted: { message: VERIFICATION_REQUESTED } },
    }),
  },
} as const;

const MESSAGES = { verified: 'Email verified', changed: 'Email changed' };

const confirmEmailOperation = {
  operationId: 'confirmEmail',
  tags,
  summary: 'Confirm an email by a link',
  description:
    'Verifies the email of an account, or completes the change to another one. Works once; a link whose email is taken meanwhile stays valid. A body is ignored.',
  params: linkTokenSchema,
  response: {
    200: describeResponse(messageSchema, {
      description: 'The email is verified.',
      examples: { verified: { message: MESSAGES.verified }, changed: { message: MESSAGES.changed } },
    }),
  },
} as const;

export const emailVerifications: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.post(
    '/api/v1/email-verifications',
    {
      schema: requestEmailVerificationOperation,
      config: { access: 'public', limits: ['email-verification'] },
    },
    async ({ body }, reply) => {
      const redirectTo = checkRedirect(deps, body.redirect_to);
      await requestLink(deps, { kind: 'verify_email', email: body.email, redirectTo });
      return reply.code(202).send({ message: VERIFICATION_REQUESTED });
    },
  );

  app.post(
    '/api/v1/email-verifications/:token',
    {
      schema: confirmEmailOperation,
      config: { access: 'public', problems: ['link_not_found', 'email_taken'] },
    },
    async ({ params }) => {
      const outcome = await confirmEmail(deps, params.token);
      return { message: MESSAGES[outcome] };
    },
  );
};
