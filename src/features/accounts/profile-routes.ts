/** Changing, exporting and erasing the own account. */
import { ifMatch } from '../../http/request/preconditions.ts';
import { type HandlerContext, type HandlerResponse, type Route, route } from '../../http/route.ts';
import { callerRecord } from '../tokens/find-token-caller.ts';
import { user as exampleUser } from '../users/examples.ts';
import { ifMatchHeader } from '../users/schemas.ts';
import { userResponse } from '../users/user-responses.ts';
import { changeProfile } from './change-profile.ts';
import type { ConfirmationDeps } from './current-password.ts';
import { type EraseAccountDeps, eraseAccount } from './erase-account.ts';
import * as examples from './examples.ts';
import { accountExport } from './export/example.ts';
import { type ExportDeps, exportAccount } from './export/export-account.ts';
import { accountExportSchema } from './export/schemas.ts';
import { changedProfileSchema, erasureSchema, type ProfileInput, profileChangeSchema } from './schemas.ts';

const tag = 'Accounts';

export function profileRoutes(deps: EraseAccountDeps): Route[] {
  return [changeProfileRoute(deps), eraseAccountRoute(deps), exportAccountRoute(deps)];
}

const CHANGED = 'Account updated';
const EMAIL_REQUESTED =
  'The email changes when the link is opened that is sent to the new address, unless it is taken';

function changeProfileRoute(deps: ConfirmationDeps): Route {
  return route({
    method: 'PATCH',
    path: '/api/v1/me',
    operationId: 'changeProfile',
    tag,
    summary: 'Change the name or the email of the current user',
    description:
      'Changes the given members only; other members are ignored. The name changes at once. Another email needs `current_password`, and takes effect when the link sent to it is confirmed, within a day: until then, the current one stays, and gets a notice. A newer request replaces the pending one. The response is the same for an email that is taken, to which nothing is sent. An email that differs from the current one by upper and lower case only is the same. A wrong password counts as a failed login. A user can ask for another email five times an hour. With `If-Match`, the change is made only if the record still has that version.',
    access: 'user',
    scope: 'self:write',
    limits: ['login'],
    headers: ifMatchHeader,
    body: profileChangeSchema,
    bodyExample: examples.profileChange,
    responses: {
      200: {
        description: 'The record after the change.',
        schema: changedProfileSchema,
        headers: { ETag: 'Version of the record after the change.' },
        examples: {
          name: { message: CHANGED, data: { ...exampleUser, version: 2 } },
          email: {
            message: EMAIL_REQUESTED,
            data: exampleUser,
            pending_email: examples.profileChange.email,
          },
        },
      },
    },
    problems: ['precondition_failed', 'too_many_requests'],
    handle: (context) => change(deps, context),
  });
}

async function change(
  deps: ConfirmationDeps,
  { caller, body, headers, clientIp }: HandlerContext<'user', unknown, ProfileInput>,
): Promise<HandlerResponse> {
  const { name, email, current_password: currentPassword } = body;
  const user = callerRecord(caller);
  const request = { user, name, email, currentPassword, clientIp, isExpected: ifMatch(headers) };
  const { user: changed, pendingEmail } = await changeProfile(deps, request);
  if (pendingEmail === null) return userResponse(changed, CHANGED);
  const response = userResponse(changed, EMAIL_REQUESTED);
  return { ...response, body: { ...(response.body as object), pending_email: pendingEmail } };
}

function eraseAccountRoute(deps: EraseAccountDeps): Route {
  return route({
    method: 'DELETE',
    path: '/api/v1/me',
    operationId: 'eraseAccount',
    tag,
    summary: 'Erase the current user',
    description:
      'Deletes the account and everything that is stored about its user at once: the record, tokens, links, waiting emails, security events, networks, activity and stored responses. The email can register again. With thousands of rows, the response may come after ten seconds, when the user can no longer log in and the last rows are still being deleted. A wrong password counts as a failed login.',
    access: 'user',
    scope: 'self:write',
    limits: ['login'],
    body: erasureSchema,
    bodyExample: { current_password: examples.credentials.password },
    responses: { 204: { description: 'Erased.' } },
    problems: ['too_many_requests'],
    handle: async ({ body, caller, clientIp }) => {
      const confirmation = { user: callerRecord(caller), currentPassword: body.current_password, clientIp };
      await eraseAccount(deps, confirmation);
      return { status: 204 };
    },
  });
}

function exportAccountRoute(deps: ExportDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/me/export',
    operationId: 'exportAccount',
    tag,
    summary: 'Export the data of the current user',
    description:
      'Returns everything that is stored about the user, as of one moment. Hashes of passwords, tokens and networks are not part of it, nor is a pending change of the email, which would reveal whether the new one is taken. Lists have at most 1,000 elements, the newest ones where they are ordered.',
    access: 'user',
    scope: 'self:read',
    responses: {
      200: {
        description: 'A document that browsers save as a file.',
        schema: accountExportSchema,
        headers: { 'Content-Disposition': 'Suggests a file name with the date in UTC.' },
        examples: { export: accountExport },
      },
    },
    handle: async ({ caller }) => {
      const body = await exportAccount(deps, caller.userId);
      const fileName = `frontdesk-export-${body.exported_at.slice(0, 10)}.json`;
      return {
        status: 200,
        headers: { 'content-disposition': `attachment; filename="${fileName}"`, 'cache-control': 'no-store' },
        body,
      };
    },
  });
}
