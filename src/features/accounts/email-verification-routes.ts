/** Verification of emails, also of those that an account is changed to. */
import { type Route, route } from '../../http/route.ts';
import { messageSchema } from '../tokens/schemas.ts';
import { type ConfirmEmailDeps, confirmEmail } from './confirm-email.ts';
import * as examples from './examples.ts';
import { type LinkRequestDeps, requestLink } from './request-link.ts';
import { linkTokenSchema, requestLinkSchema } from './schemas.ts';

const tag = 'Accounts';

export function emailVerificationRoutes(deps: ConfirmEmailDeps & LinkRequestDeps): Route[] {
  return [requestEmailVerificationRoute(deps), confirmEmailRoute(deps)];
}

const VERIFICATION_REQUESTED =
  'If an account has this email and has not verified it, a link will be sent to it';

function requestEmailVerificationRoute(deps: LinkRequestDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/email-verifications',
    operationId: 'requestEmailVerification',
    tag,
    summary: 'Request another link to verify an email',
    description:
      'Registration sends the first one. The link is valid for seven days. The response is the same for every email.',
    access: 'public',
    limits: ['email-verification'],
    body: requestLinkSchema,
    bodyExample: { email: examples.credentials.email },
    responses: {
      202: {
        description: 'Accepted, whether or not there is an account.',
        schema: messageSchema,
        examples: { accepted: { message: VERIFICATION_REQUESTED } },
      },
    },
    handle: async ({ body }) => {
      await requestLink(deps, 'verify_email', body.email);
      return { status: 202, body: { message: VERIFICATION_REQUESTED } };
    },
  });
}

const MESSAGES = { verified: 'Email verified', changed: 'Email changed' };

function confirmEmailRoute(deps: ConfirmEmailDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/email-verifications/{token}',
    operationId: 'confirmEmail',
    tag,
    summary: 'Confirm an email by a link',
    description:
      'Verifies the email of an account, or completes the change to another one. Works once; a link whose email is taken meanwhile stays valid. A body is ignored.',
    access: 'public',
    params: linkTokenSchema,
    responses: {
      200: {
        description: 'The email is verified.',
        schema: messageSchema,
        examples: { verified: { message: MESSAGES.verified }, changed: { message: MESSAGES.changed } },
      },
    },
    problems: ['link_not_found', 'email_taken'],
    handle: async ({ params }) => {
      const outcome = await confirmEmail(deps, params.token);
      return { status: 200, body: { message: MESSAGES[outcome] } };
    },
  });
}
