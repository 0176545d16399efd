/** Passwords and links of single users, for the administrator. */
import { type Route, route } from '../../http/route.ts';
import { messageSchema } from '../tokens/schemas.ts';
import { parseUserId } from '../users/rules.ts';
import { userIdSchema } from '../users/schemas.ts';
import * as examples from './examples.ts';
import { sendLinkSchema, userPasswordSchema } from './schemas.ts';
import { type SendLinkDeps, sendLink } from './send-link.ts';
import { type SetUserPasswordDeps, setUserPassword } from './set-user-password.ts';

const tag = 'Users';

export function accountAdministrationRoutes(deps: SetUserPasswordDeps & SendLinkDeps): Route[] {
  return [setUserPasswordRoute(deps), sendLinkRoute(deps)];
}

function setUserPasswordRoute(deps: SetUserPasswordDeps): Route {
  return route({
    method: 'PUT',
    path: '/api/v1/users/{id}/password',
    operationId: 'setUserPassword',
    tag,
    summary: "Set a user's password",
    description:
      'Revokes every token of the user and every link that was sent to them; the user gets a notice by email. An unclaimed account becomes active, a disabled one stays disabled. Records of anonymous callers cannot get a password.',
    access: 'admin',
    params: userIdSchema,
    body: userPasswordSchema,
    bodyExample: { password: examples.passwordChange.password },
    responses: {
      200: {
        description: 'The password is set.',
        schema: messageSchema,
        examples: { set: { message: 'Password set' } },
      },
    },
    problems: ['user_not_found', 'user_state_conflict'],
    handle: async ({ params, body }) => {
      await setUserPassword(deps, parseUserId(params.id), body.password);
      return { status: 200, body: { message: 'Password set' } };
    },
  });
}

const LINK_QUEUED = 'The link will be sent';

function sendLinkRoute(deps: SendLinkDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/users/{id}/links',
    operationId: 'sendLink',
    tag,
    summary: 'Send a link to a user',
    description:
      'Sends an email with a link: to set the first password of an unclaimed account (`claim_account`), or, to an active user, to set a new password (`reset_password`) or to verify the email (`verify_email`). The response does not contain the link.',
    access: 'admin',
    params: userIdSchema,
    body: sendLinkSchema,
    bodyExample: { kind: 'claim_account' },
    responses: {
      202: {
        description: 'Accepted: the message is queued.',
        schema: messageSchema,
        examples: { accepted: { message: LINK_QUEUED } },
      },
    },
    problems: ['user_not_found', 'user_state_conflict'],
    handle: async ({ params, body }) => {
      await sendLink(deps, body.kind, parseUserId(params.id));
      return { status: 202, body: { message: LINK_QUEUED } };
    },
  });
}
