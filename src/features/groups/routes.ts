/** Groups of users, for the administrator. */
import type { DatabaseDeps } from '../../database/database.ts';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { getRecord } from '../records/change-record.ts';
import { sendRecord } from '../records/responses.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { createGroup, deleteGroup, updateGroup } from './change-group.ts';
import * as group from './group.ts';
import { groupMembers } from './member-routes.ts';
import { groupStore, listGroups } from './queries.ts';

const tags = ['Groups'];
const path = '/api/v1/groups';
const read = { access: 'admin', scope: 'groups:read' } as const;
const write = { access: 'admin', scope: 'groups:write', recentSignIn: 'always' } as const;
const params = group.groupIdSchema;
const headers = { ETag: 'Version of the group.' };
const { examples, MAX_GROUPS } = group;

export const groups: FeaturePlugin<DatabaseDeps> = async (app, deps) => {
  const { database, clock } = deps;
  const toMessage = (row: group.GroupRow) => ({ message: `Group ${row.id}`, data: group.groupView(row) });

  app.get(path, listGroupsRoute, async () => {
    const rows = await listGroups(database);
    return { message: 'Groups list', data: rows.map(group.groupView) };
  });

  app.post(path, createGroupRoute, ({ body }, reply) =>
    reply.sendOnce(async () => ({
      store: async (tx) => {
        const data = group.groupView(await createGroup(tx, body, clock()));
        const location = `${path}/${data.id}`;
        return {
          status: 201,
          headers: { etag: versionETag(data.version), location },
          body: { message: 'Group created', data },
          createdResources: {},
        };
      },
    })),
  );

  app.get(`${path}/:id`, getGroupRoute, async ({ params }, reply) =>
    sendRecord(reply, toMessage(await getRecord(database, groupStore, params.id))),
  );

  app.patch(`${path}/:id`, updateGroupRoute, async ({ params, body, headers }, reply) => {
    const expected = { id: params.id, isExpected: ifMatch(headers) };
    return sendRecord(reply, toMessage(await updateGroup(deps, expected, body)));
  });

  app.delete(`${path}/:id`, deleteGroupRoute, async ({ params, headers }, reply) => {
    await deleteGroup(deps, { id: params.id, isExpected: ifMatch(headers) });
    return reply.code(204).send();
  });

  await app.register(groupMembers, deps);
};

const describeGroup = (description: string, data: object = examples.group) =>
  describeResponse(group.groupResponseSchema, {
    description,
    headers,
    examples: { group: { message: `Group ${examples.group.id}`, data } },
  });

const listGroupsRoute = {
  schema: {
    operationId: 'listGroups',
    tags,
    summary: 'List groups',
    description:
      'Returns all groups, oldest first, each with the number of its members. `GET /api/v1/users?group=…` lists the users in one.',
    response: {
      200: describeResponse(group.groupListSchema, `At most ${MAX_GROUPS} groups.`, {
        groups: { message: 'Groups list', data: [{ ...examples.group, members: 12 }] },
      }),
    },
  },
  config: read,
} as const;

const createGroupRoute = {
  schema: {
    operationId: 'createGroup',
    tags,
    summary: 'Create a group',
    description: `A group of users, which applications read in the claim \`groups\`, and to which they can be limited. At most ${MAX_GROUPS}.`,
    body: { ...group.createGroupSchema, examples: [examples.newGroup] },
    response: {
      201: describeResponse(group.groupResponseSchema, {
        description: 'The group.',
        headers: { ...headers, Location: 'URL of the group.' },
        examples: { created: { message: 'Group created', data: examples.group } },
      }),
    },
  },
  config: { ...write, idempotent: true, problems: ['group_name_taken', 'too_many_groups'] },
} as const;

const getGroupRoute = {
  schema: {
    operationId: 'getGroup',
    tags,
    summary: 'Get a group',
    description: 'Returns the group.',
    params,
    response: { 200: describeGroup('The group.') },
  },
  config: { ...read, problems: ['group_not_found'] },
} as const;

const updateGroupRoute = {
  schema: {
    operationId: 'updateGroup',
    tags,
    summary: 'Update a group',
    description:
      'Changes the given members only, and rejects any others. Applications see a new name in the claims of the next sign-in.',
    params,
    headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
    body: { ...group.updateGroupSchema, examples: [{ title: 'All staff' }] },
    response: {
      200: describeGroup('The group after the change.', {
        ...examples.group,
        title: 'All staff',
        version: 2,
      }),
    },
  },
  config: { ...write, problems: ['group_not_found', 'group_name_taken'] },
} as const;

const deleteGroupRoute = {
  schema: {
    operationId: 'deleteGroup',
    tags,
    summary: 'Delete a group',
    description:
      'Deletes the group, not its users. The tokens of applications that are limited to it end at once, on every node, unless another group of the user is allowed; an application that is limited to this group only is open to nobody. With `If-Match`, only if it still has that version.',
    params,
    headers: { type: 'object', properties: ifMatchHeader },
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...write, problems: ['group_not_found'] },
} as const;
