/** Administration of single users. */
import { ifMatch } from '../../http/request/preconditions.ts';
import { type Route, route } from '../../http/route.ts';
import { eraseUser } from './erase-user.ts';
import * as examples from './examples.ts';
import * as schemas from './schemas.ts';
import { type UpdateUserDeps, updateUser } from './update-user.ts';
import { parseUserId, userResponse } from './user-view.ts';

const tag = 'Users';

export function userAdministrationRoutes(deps: UpdateUserDeps): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/api/v1/users/{id}',
      operationId: 'updateUser',
      tag,
      summary: 'Update a user',
      description:
        'Changes the given members only. Disabling a user revokes all of their tokens immediately; a new email counts as not verified.',
      access: 'admin',
      params: schemas.userIdSchema,
      headers: schemas.ifMatchHeader,
      requiredHeaders: ['If-Match'],
      body: schemas.updateUserSchema,
      bodyExample: { level: 'gold', state: 'active' },
      responses: {
        200: {
          description: 'The record after the change.',
          schema: schemas.userResponseSchema,
          headers: { ETag: 'Version of the record after the change.' },
          examples: { changed: examples.userResponses.administrator },
        },
      },
      problems: [
        'user_not_found',
        'email_taken',
        'version_conflict',
        'precondition_failed',
        'precondition_required',
      ],
      handle: async ({ params, body, headers }) => {
        const user = await updateUser(deps, parseUserId(params.id), body, ifMatch(headers));
        return userResponse(user);
      },
    }),
    route({
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
        await eraseUser(deps.database, parseUserId(params.id), ifMatch(headers));
        return { status: 204 };
      },
    }),
  ];
}
