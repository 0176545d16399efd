/** Changing, exporting and erasing the own account. */
import { getUserCaller } from '../../../callers/callers.ts';
import { ifMatch, versionETag } from '../../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import type { Numbering } from '../../events/numbering/numbering.ts';
import { user as exampleUser } from '../../users/records/examples.ts';
import { ifMatchHeader, userRecordSchema } from '../../users/records/schemas.ts';
import { sendUser, userView } from '../../users/records/user-responses.ts';
import { eraseAccount } from '../personal-data/erase-user.ts';
import { exportAccount } from '../personal-data/export-account.ts';
import { accountExport, accountExportSchema } from '../personal-data/export-schemas.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { toProof } from '../sign-in/require-proof.ts';
import { getCallerRecord } from '../tokens/find-token-caller.ts';
import { changeProfile } from './change-profile.ts';
import * as examples from './examples.ts';
import { checkRedirect } from './request-link.ts';
import { changedProfileSchema, profileChangeSchema } from './schemas.ts';
import { PROVEN, proofBody } from './totp-schemas.ts';

const tags = ['Accounts'];

const CHANGED = 'Account updated';
const EMAIL_REQUESTED =
  'The email changes when the link is opened that is sent to the new address, unless it is taken';

const changeProfileRoute = {
  schema: {
    operationId: 'changeProfile',
    tags,
    summary: 'Change the current user',
    description:
      'Changes the given members only; other members are ignored. The name, `locale`, `zoneinfo` and `user_metadata` change at once. Another email needs `current_password`, and takes effect when the link sent to it is confirmed, within a day: until then, the current one stays, and gets a notice. A newer request replaces the pending one. The response is the same for an email that is taken, to which nothing is sent. An email that differs from the current one by upper and lower case only is the same. Another email counts as a login, with a wrong password as a failed one. A user can ask for another email five times an hour. With `If-Match`, the change is made only if the record still has that version.',
    headers: { type: 'object', properties: ifMatchHeader },
    body: { ...profileChangeSchema, examples: [examples.profileChange] },
    response: {
      200: describeResponse(changedProfileSchema, {
        description: 'The record after the change.',
        headers: { ETag: 'Version of the record after the change.' },
        examples: {
          name: { message: CHANGED, data: { ...exampleUser, version: 2 } },
          email: {
            message: EMAIL_REQUESTED,
            data: exampleUser,
            pending_email: examples.profileChange.email,
          },
        },
      }),
    },
  },
  config: {
    access: 'user',
    scope: 'self:write',
    recentSignIn: 'without password',
    problems: ['too_many_requests', 'rate_limited_login'],
  },
} as const;

const eraseAccountRoute = {
  schema: {
    operationId: 'eraseAccount',
    tags,
    summary: 'Delete the current user',
    description:
      'Deletes the account and everything that is stored about its user at once: the record, tokens, links, waiting emails, security events, networks, activity and stored responses. The email can register again. With thousands of rows, the response may come after ten seconds, when the user can no longer log in and the last rows are still being deleted. A wrong password counts as a failed login.',
    body: proofBody,
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...PROVEN, problems: ['last_owner', 'too_many_requests'] },
} as const;

const exportAccountRoute = {
  schema: {
    operationId: 'exportAccount',
    tags,
    summary: 'Export the data of the current user',
    description:
      'Returns everything that is stored about the user, as of one moment. Hashes of passwords, tokens and networks are not part of it, nor is a pending change of the email, which would reveal whether the new one is taken. Lists have at most 1,000 elements, the newest ones where they are ordered.',
    response: {
      200: describeResponse(accountExportSchema, {
        description: 'A document that browsers save as a file.',
        headers: { 'Content-Disposition': 'Suggests a file name with the date in UTC.' },
        examples: { export: accountExport },
      }),
    },
  },
  config: { access: 'user', scope: 'self:read' },
} as const;

const getCurrentUserRoute = {
  schema: {
    operationId: 'getCurrentUser',
    tags,
    summary: 'Get the current user',
    description: 'Returns the own record.',
    response: {
      200: describeResponse(userRecordSchema, {
        description: 'The user of the token.',
        headers: { ETag: 'Version of the record.' },
        examples: { user: { message: 'Current user', data: exampleUser } },
      }),
    },
  },
  config: { access: 'user', scope: 'self:read' },
} as const;

/** The record of the current user. */
export const profile: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.get('/api/v1/me', getCurrentUserRoute, (request, reply) =>
    sendUser(reply, getCallerRecord(getUserCaller(request)), 'Current user'),
  );

  app.patch('/api/v1/me', changeProfileRoute, async (request, reply) => {
    const { body: changes, headers } = request;
    const { user, pendingEmail } = await changeProfile(deps, {
      ...toProof(request),
      changes,
      redirectTo: checkRedirect(deps, changes.redirect_to),
      isExpected: ifMatch(headers),
      countLogin: () => reply.countNetwork('login'),
    });
    reply.header('etag', versionETag(user.version));
    if (pendingEmail === null) return { message: CHANGED, data: userView(user) };
    return { message: EMAIL_REQUESTED, data: userView(user), pending_email: pendingEmail };
  });
};

/** Everything that is stored about the current user. */
export const ownData: FeaturePlugin<AccountDeps & { readonly numbering: Numbering }> = async (app, deps) => {
  app.delete('/api/v1/me', eraseAccountRoute, async (request, reply) => {
    await eraseAccount(deps, toProof(request));
    return reply.code(204).send();
  });

  app.get('/api/v1/me/export', exportAccountRoute, async (request, reply) => {
    await deps.numbering.flush();
    const body = await exportAccount(deps, getUserCaller(request).userId);
    const fileName = `frontdesk-export-${body.exported_at.slice(0, 10)}.json`;
    return reply.header('content-disposition', `attachment; filename="${fileName}"`).send(body);
  });
};
