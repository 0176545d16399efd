/** The members of groups, for the administrator. */
import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { closedSchema, recordSchema } from '../../lib/schema/json-schema.ts';
import { exampleId, idParameters } from '../../lib/schema/query-parameters.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { catalogue } from '../../problems/problem.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import { text } from '../users/records/member-schemas.ts';
import { changeMember, changeMembers } from './change-members.ts';
import { groupIdSchema, MAX_GROUPS_OF_USER } from './group.ts';

const tags = ['Groups'];
const path = '/api/v1/groups/:id/users';
const write = { access: 'admin', scope: 'groups:write', recentSignIn: 'always' } as const;

const MEMBERS_CHANGED = 'Members changed';

export const groupMembers: FeaturePlugin<DatabaseDeps> = async (app, deps) => {
  app.put(`${path}/:user_id`, addMemberRoute, async ({ params: { id, user_id } }, reply) => {
    await changeMember(deps, { action: 'add', groupId: id, userId: user_id });
    return reply.code(204).send();
  });

  app.delete(`${path}/:user_id`, removeMemberRoute, async ({ params: { id, user_id } }, reply) => {
    await changeMember(deps, { action: 'remove', groupId: id, userId: user_id });
    return reply.code(204).send();
  });

  app.post(`${path}/batch`, changeMembersRoute, async ({ params, body: { add = [], remove = [] } }) => {
    const changes = [
      ...add.map((userId) => ({ action: 'add', userId }) as const),
      ...remove.map((userId) => ({ action: 'remove', userId }) as const),
    ];
    checkChanges(changes);
    const data = await changeMembers(deps, params.id, changes);
    return { message: MEMBERS_CHANGED, failed: data.filter(({ code }) => code !== undefined).length, data };
  });
};

/** @throws Problem validation_failed */
function checkChanges(changes: readonly { readonly userId: string }[]): void {
  const reject = (reason: string) => {
    throw validationFailed({ add: [`The add and remove fields ${reason}`] });
  };
  if (changes.length === 0) reject('must have an item.');
  if (changes.length > MAX_CHANGES) reject(`must not have more than ${MAX_CHANGES} items.`);
  if (new Set(changes.map(({ userId }) => userId)).size < changes.length) reject('must have each user once.');
}

const MAX_CHANGES = 1_000;

const memberIdSchema = idParameters({ id: 'Id of a group.', user_id: 'Id of a user.' });

const userIds = { type: 'array', maxItems: MAX_CHANGES, items: { type: 'string', maxLength: 255 } } as const;

const memberBatchSchema = closedSchema([], {
  add: { ...userIds, description: 'Ids of users who become members.' },
  remove: { ...userIds, description: 'Ids of users who leave.' },
});

const memberResultSchema = recordSchema({
  message: text,
  failed: { type: 'integer', minimum: 0, description: 'Number of users with an error.' },
  data: {
    type: 'array',
    description: 'The results in the order of `add`, then `remove`.',
    items: {
      type: 'object',
      required: ['user_id', 'status'],
      properties: {
        user_id: text,
        status: { type: 'integer', description: 'The status that the single request would have.' },
        error: text,
        code: { type: 'string', description: 'Code of the problem, as in error responses.' },
      },
    },
  },
});

const addMemberRoute = {
  schema: {
    operationId: 'addGroupMember',
    tags,
    summary: 'Add a user to a group',
    description: `Does nothing if the user is in the group already. A user is in at most ${MAX_GROUPS_OF_USER} groups. The version of the user stays.`,
    params: memberIdSchema,
    response: { 204: describeEmpty({ description: 'The user is in the group.' }) },
  },
  config: { ...write, problems: ['group_not_found', 'user_not_found', 'too_many_groups_of_user'] },
} as const;

const removeMemberRoute = {
  schema: {
    operationId: 'removeGroupMember',
    tags,
    summary: 'Remove a user from a group',
    description:
      'Ends, at once and on every node, the tokens of applications that are limited to groups in which the user is no longer. Does nothing if the user is not in the group.',
    params: memberIdSchema,
    response: { 204: describeEmpty({ description: 'The user is not in the group.' }) },
  },
  config: { ...write, problems: ['group_not_found', 'user_not_found'] },
} as const;

const changeMembersRoute = {
  schema: {
    operationId: 'changeGroupMembers',
    tags,
    summary: 'Add and remove many users',
    description: `Adds users to the group and removes others, up to ${MAX_CHANGES} together, each as by a request of its own, and returns the result of each. One that fails does not undo the others. The request can be repeated: who is in the group already, or is not, gets the same result.`,
    params: groupIdSchema,
    body: { ...memberBatchSchema, examples: [{ add: [exampleId] }] },
    response: {
      200: describeResponse(memberResultSchema, 'The result of each user, also if all have failed.', {
        changed: {
          message: MEMBERS_CHANGED,
          failed: 1,
          data: [
            { user_id: exampleId, status: 204 },
            {
              user_id: exampleId.replace('2e', '31'),
              status: 404,
              error: catalogue.user_not_found.text,
              code: 'user_not_found',
            },
          ],
        },
      }),
    },
  },
  config: { ...write, problems: ['group_not_found'] },
} as const;
