/** Administration of single users: their records, passwords, links and locks. */
import { ifMatch } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeEmpty, describeMessage, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { passwordChange } from '../people/accounts/examples.ts';
import { checkRedirect } from '../people/accounts/request-link.ts';
import { sendLinkSchema, userPasswordSchema } from '../people/accounts/schemas.ts';
import { eraseUser } from '../people/personal-data/erase-user.ts';
import {
  exampleReceipt,
  findReceipt,
  preferHeader,
  receiptSchema,
} from '../people/personal-data/erasure-receipt.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import * as examples from './records/examples.ts';
import { addGroups } from './records/group-queries.ts';
import { giveAccess, parseUserId, type UserChanges } from './records/rules.ts';
import * as schemas from './records/schemas.ts';
import { sendUser } from './records/user-responses.ts';
import { removeUserTotp, sendLink, setUserPassword, unlockUser } from './restore-access.ts';
import { updateUser } from './update-user.ts';

const tags = ['User administration'];
const params = schemas.userIdSchema;

const updateUserRoute = {
  schema: {
    operationId: 'updateUser',
    tags,
    summary: 'Update a user',
    description:
      'Changes the given members only, and rejects any others. Disabling a user revokes all of their tokens immediately; a new email counts as not verified. Both revoke the links that were sent to the user. Only owners change `role`, and people who have one; the last owner keeps it, unless `ADMIN_TOKEN` takes it. In the console, a new `email` or `role` needs a recent sign-in.',
    params,
    headers: { type: 'object', properties: schemas.ifMatchHeader, required: ['If-Match'] },
    body: { ...schemas.updateUserSchema, examples: [{ level: 'gold', state: 'active' }] },
    response: {
      200: describeResponse(schemas.userRecordSchema, {
        description: 'The record after the change.',
        headers: { ETag: 'Version of the record after the change.' },
        examples: { changed: examples.userResponses.administrator },
      }),
    },
  },
  config: {
    access: 'admin',
    scope: 'users:write',
    recentSignIn: (body: unknown) => giveAccess(body as UserChanges),
    problems: ['user_not_found', 'email_taken', 'last_owner', 'user_state_conflict', 'version_conflict'],
  },
} as const;

const deleteUserRoute = {
  schema: {
    operationId: 'deleteUser',
    tags,
    summary: 'Delete a user',
    description:
      'Deletes the record, its tokens and its activity permanently. With `If-Match`, only if the record still has that version. With `Prefer: return=representation` (RFC 7240), the response is a receipt.',
    params,
    headers: { type: 'object', properties: { ...schemas.ifMatchHeader, ...preferHeader } },
    response: {
      200: describeResponse(receiptSchema, {
        description: 'Deleted, with a receipt.',
        headers: { 'Preference-Applied': '`return=representation`' },
        examples: { receipt: { message: 'User erased', data: exampleReceipt } },
      }),
      204: describeEmpty({ description: 'Deleted.' }),
    },
  },
  config: {
    access: 'admin',
    scope: 'users:write',
    recentSignIn: 'always',
    problems: ['user_not_found', 'last_owner'],
  },
} as const;

export const userChanges: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.patch('/api/v1/users/:id', updateUserRoute, async (request, reply) => {
    const { params, body, headers } = request;
    const update = { id: parseUserId(params.id), changes: body, isExpected: ifMatch(headers) };
    const [user] = await addGroups(deps.database, [await updateUser(deps, update)]);
    return sendUser(reply, user!);
  });

  app.delete('/api/v1/users/:id', deleteUserRoute, async ({ params, headers }, reply) => {
    const id = parseUserId(params.id);
    await eraseUser(deps, id, ifMatch(headers));
    if (!/^return=representation$/i.test(String(headers.prefer))) return reply.code(204).send();
    const data = await findReceipt(deps.database, id);
    return reply.header('preference-applied', 'return=representation').send({ message: 'User erased', data });
  });
};

const unlockUserRoute = {
  schema: {
    operationId: 'unlockUser',
    tags,
    summary: 'Unlock a user',
    description:
      'Forgets the failed sign-ins that have locked the user out (`locked_until`), from anywhere and from each network.',
    params,
    response: { 204: describeEmpty({ description: 'The user can log in.' }) },
  },
  config: { access: 'admin', scope: 'users:write', problems: ['user_not_found'] },
} as const;

const removeUserTotpRoute = {
  schema: {
    operationId: 'removeUserTotp',
    tags,
    summary: "Remove a user's second factor",
    description:
      'For users who have lost their app and their recovery codes: check who asks before. The password alone logs in again. The user gets a notice by email.',
    params,
    response: { 204: describeEmpty({ description: 'The user has no second factor.' }) },
  },
  config: { access: 'admin', scope: 'users:write', recentSignIn: 'always', problems: ['user_not_found'] },
} as const;

const PASSWORD_SET = 'Password set';

const setUserPasswordRoute = {
  schema: {
    operationId: 'setUserPassword',
    tags,
    summary: "Set a user's password",
    description:
      'Revokes every token of the user and every link that was sent to them; the user gets a notice by email. An unclaimed account becomes active, a disabled one stays disabled. Records of anonymous callers cannot get a password.',
    params,
    body: { ...userPasswordSchema, examples: [{ password: passwordChange.password }] },
    response: { 200: describeMessage('The password is set.', { set: PASSWORD_SET }) },
  },
  config: {
    access: 'admin',
    scope: 'users:write',
    recentSignIn: 'always',
    problems: ['user_not_found', 'user_state_conflict'],
  },
} as const;

const LINK_QUEUED = 'The link will be sent';

const sendLinkRoute = {
  schema: {
    operationId: 'sendLink',
    tags,
    summary: 'Send a link to a user',
    description:
      'Sends an email with a link: to claim an unclaimed account (`claim_account`), or, to an active user, to set a new password (`reset_password`) or to verify the email (`verify_email`). The response does not contain the link.',
    params,
    body: { ...sendLinkSchema, examples: [{ kind: 'claim_account' }] },
    response: { 202: describeMessage('Accepted: the message is queued.', { accepted: LINK_QUEUED }) },
  },
  config: { access: 'admin', scope: 'links:send', problems: ['user_not_found', 'user_state_conflict'] },
} as const;

export const userAccess: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.delete('/api/v1/users/:id/lock', unlockUserRoute, async ({ params }, reply) => {
    await unlockUser(deps, parseUserId(params.id));
    return reply.code(204).send();
  });

  app.delete('/api/v1/users/:id/totp', removeUserTotpRoute, async ({ params }, reply) => {
    await removeUserTotp(deps, parseUserId(params.id));
    return reply.code(204).send();
  });

  app.put('/api/v1/users/:id/password', setUserPasswordRoute, async ({ params, body }) => {
    await setUserPassword(deps, parseUserId(params.id), body.password);
    return { message: PASSWORD_SET };
  });

  app.post('/api/v1/users/:id/links', sendLinkRoute, async ({ params, body }, reply) => {
    const redirectTo = checkRedirect(deps, body.redirect_to);
    await sendLink(deps, { kind: body.kind, userId: parseUserId(params.id), redirectTo });
    return reply.code(202).send({ message: LINK_QUEUED });
  });
};
