/** Administration of single users. */
import { ifMatch } from '../../lib/preconditions.ts';
import { type Route, route } from '../../http/route.ts';
import { type EraseUserDeps, eraseUser } from './erase-user.ts';
import * as examples from './examples.ts';
import { parseUserId } from './rules.ts';
import * as schemas from './schemas.ts';
import { type UpdateUserDeps, updateUser } from './update-user.ts';
import { userResponse } from './user-responses.ts';

const tag = 'Users';

export function userAdministrationRoutes(deps: UpdateUserDeps & EraseUserDeps): Route[] {
  return [updateUserRoute(deps), deleteUserRoute(deps)];
}

function updateUserRoute(deps: UpdateUserDeps): Route {
  return route({
    method: 'PATCH',
    path: '/api/v1/users/{id}',
    operationId: 'updateUser',
    tag,
    summary: 'Update a user',
    description:
      'Changes the given members only, and rejects any others. Disabling a user revokes all of their tokens immediately; a new email counts as not verified. Both revoke the links that were sent to the user.',
    access: 'admin',
    params: schemas.userIdSchema,
    headers: schemas.ifMatchHeader,
    requiredHeaders: ['If-Match'],
    body: schemas.updateUserSchema,
    bodyExample: { level: 'gold', state: 'active' },
    responses: { 200: updatedUser },
    problems: [
      'user_not_found',
      'email_taken',
      'version_conflict',
      'precondition_failed',
      'precondition_required',
    ],
    handle: async ({ params, body, headers }) => {
      const update = { id: parseUserId(params.id), changes: body, isExpected: ifMatch(headers) };
      return userResponse(await updateUser(deps, update));
    },
  });
}

const updatedUser = {
  description: 'The record after the change.',
  schema: schemas.userResponseSchema,
  headers: { ETag: 'Version of the record after the change.' },
  examples: { changed: examples.userResponses.administrator },
};

function deleteUserRoute(deps: EraseUserDeps): Route {
  return route({
    method: 'DELETE',
    path: '/api/v1/users/{id}',
    operationId: 'deleteUser',
    tag,
    summary: 'Delete a user',
    description:
      'Deletes the record, its tokens and its activity permanently. With `If-Match`, only if the record still has that version.',
    access: 'admin',
    params: schemas.userIdSchema,
    headers: schemas.ifMatchHeader,
    responses: { 204: { description: 'Deleted.' } },
    problems: ['user_not_found', 'precondition_failed'],
    handle: async ({ params, headers }) => {
      await eraseUser(deps, parseUserId(params.id), ifMatch(headers));
      return { status: 204 };
    },
  });
}
