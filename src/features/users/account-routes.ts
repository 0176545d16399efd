/** Passwords, links and locks of single users, for the administrator. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { messageSchema } from '../tokens/schemas.ts';
import type { AccountDeps } from './accounts/account-deps.ts';
import { checkRedirect } from './accounts/email/check-redirect.ts';
import { sendLink } from './accounts/email/send-link.ts';
import * as examples from './accounts/examples.ts';
import { sendLinkSchema, userPasswordSchema } from './accounts/schemas.ts';
import { parseUserId } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';
import { setUserPassword } from './set-user-password.ts';
import { unlockUser } from './unlock-user.ts';

const tags = ['User administration'];

const setUserPasswordOperation = {
  operationId: 'setUserPassword',
  tags,
  summary: "Set a user's password",
  description:
    'Revokes every token of the user and every link that was sent to them; the user gets a notice by email. An unclaimed account becomes active, a disabled one stays disabled. Records of anonymous callers cannot get a password.',
  params: userIdSchema,
  body: { ...userPasswordSchema, examples: [{ password: examples.passwordChange.password }] },
  response: {
    200: describeResponse(messageSchema, {
      description: 'The password is set.',
      examples: { set: { message: 'Password set' } },
    }),
  },
} as const;

const LINK_QUEUED = 'The link will be sent';

const sendLinkOperation = {
  operationId: 'sendLink',
  tags,
  summary: 'Send a link to a user',
  description:
    'Sends an email with a link: to set the first password of an unclaimed account (`claim_account`), or, to an active user, to set a new password (`reset_password`) or to verify the email (`verify_email`). The response does not contain the link.',
  params: userIdSchema,
  body: { ...sendLinkSchema, examples: [{ kind: 'claim_account' }] },
  response: {
    202: describeResponse(messageSchema, {
      description: 'Accepted: the message is queued.',
      examples: { accepted: { message: LINK_QUEUED } },
    }),
  },
} as const;

const unlockUserRoute = {
  schema: {
    operationId: 'unlockUser',
    tags,
    summary: 'Unlock a user',
    description: 'Forgets the failed logins that have locked the user out (`locked_until`).',
    params: userIdSchema,
    response: { 204: describeEmpty({ description: 'The user can log in.' }) },
  },
  config: { access: 'admin', scope: 'users:write', problems: ['user_not_found'] },
} as const;

export const userAccess: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.put(
    '/api/v1/users/:id/password',
    {
      schema: setUserPasswordOperation,
      config: { access: 'admin', scope: 'users:write', problems: ['user_not_found', 'user_state_conflict'] },
    },
    async ({ params, body }) => {
      await setUserPassword(deps, parseUserId(params.id), body.password);
      return { message: 'Password set' };
    },
  );

  app.post(
    '/api/v1/users/:id/links',
    {
      schema: sendLinkOperation,
      config: { access: 'admin', scope: 'links:send', problems: ['user_not_found', 'user_state_conflict'] },
    },
    async ({ params, body }, reply) => {
      const redirectTo = checkRedirect(deps, body.redirect_to);
      await sendLink(deps, { kind: body.kind, userId: parseUserId(params.id), redirectTo });
      return reply.code(202).send({ message: LINK_QUEUED });
    },
  );
};

export const userLock: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.delete('/api/v1/users/:id/lock', unlockUserRoute, async ({ params }, reply) => {
    await unlockUser(deps, parseUserId(params.id));
    return reply.code(204).send();
  });
};
