/** The routes that list and count users. */
import type { Caller } from '../../callers/callers.ts';
import type { Database } from '../../database/database.ts';
import type { PageStart, Pagination } from '../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { dataSchema, recordSchema, text } from '../../lib/schema/json-schema.ts';
import {
  describeResponse,
  PAGE_HEADERS,
  pageQuery,
  pageSchema,
} from '../../plugins/openapi/describe-response.ts';
import * as examples from './records/examples.ts';
import { addGroups } from './records/group-queries.ts';
import { countUsers, findUsers, MAX_COUNT, type UserPage } from './records/list/find-users.ts';
import type { UserRequest } from './records/list/queries.ts';
import { filterSchema, listParameters, toSort, toUserFilter } from './records/list/schemas.ts';
import type { Position } from './records/list/sorts.ts';
import { findUser } from './records/queries.ts';
import { userView } from './records/user-responses.ts';

export interface UserListDeps {
  readonly database: Database;
  readonly pagination: Pagination;
}

const page = pageSchema({ $ref: 'User' });

const listUsersRoute = {
  schema: {
    operationId: 'listUsers',
    tags: ['Users'],
    summary: 'List users',
    description:
      'Returns records to the administrator, in pages: all of them, oldest first, or those that match every filter, in the order of `sort`. The work of a page is bounded: with filters, it may have fewer records than `limit`, or none, and only `next_cursor` tells whether there are more. A record that is not changed meanwhile is on exactly one of the pages. A user gets their own record, an anonymous caller only the message.',
    querystring: pageQuery(listParameters),
    response: {
      200: describeResponse(
        { ...page, required: ['message'] },
        {
          description: 'The records that the caller may see.',
          headers: PAGE_HEADERS,
          alternatives: [
            page,
            dataSchema({ type: 'array', items: { $ref: 'User' } }),
            { type: 'object', required: ['message'], properties: { message: text } },
          ],
          examples: examples.userLists,
        },
      ),
    },
  },
  config: {
    access: 'optional',
    scope: 'self:read',
    adminScope: 'users:read',
    problems: ['invalid_limit', 'invalid_cursor', 'invalid_filter'],
  },
} as const;

const countUsersRoute = {
  schema: {
    operationId: 'countUsers',
    tags: ['Users'],
    summary: 'Count users',
    description:
      'Returns the number of records that match every filter. It is exact up to 10,000: `is_exact` is false if there are more, or if every filter alone leaves more than 10,000 records and the 50,000 oldest of these do not decide it.',
    querystring: filterSchema,
    response: {
      200: describeResponse(
        dataSchema(
          recordSchema({
            count: { type: 'integer', minimum: 0, maximum: MAX_COUNT },
            is_exact: { type: 'boolean', description: 'False if more records may match.' },
          }),
        ),
        'The number.',
        { counted: { message: 'Users count', data: { count: 42, is_exact: true } } },
      ),
    },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['invalid_filter'] },
} as const;

export const userList: FeaturePlugin<UserListDeps> = async (app, { database, pagination }) => {
  app.get(
    '/api/v1/users',
    listUsersRoute,
    async ({ caller, query: { order, sort: given, ...query } }, reply) => {
      const message = 'Users list';
      // Read for every caller, so that wrong parameters are rejected for all of them.
      const filter = toUserFilter(query);
      const sort = toSort({ order, sort: given });
      const { rows, next_cursor } = await pagination.readPage(reply, {
        query: { ...query, ...(sort === 'created_at' ? {} : { sort }) },
        path: '/api/v1/users',
        scope: `users:${JSON.stringify([filter, sort])}`,
        read: (start: PageStart<Position>) => listUsers(database, caller, { ...start, filter, sort }),
      });
      if (caller.kind === 'anonymous') return { message };
      const data = rows.map(userView);
      return caller.kind === 'user' ? { message, data } : { message, data, next_cursor };
    },
  );

  app.get('/api/v1/users/count', countUsersRoute, async ({ query }) => {
    const { count, isExact } = await countUsers(database, toUserFilter(query));
    return { message: 'Users count', data: { count, is_exact: isExact } };
  });
};

/** Returns the users that the caller may see: all of the filter, the own record, or none. */
async function listUsers(database: Database, caller: Caller, request: UserRequest): Promise<UserPage> {
  if (caller.kind === 'admin') {
    const { rows, next } = await findUsers(database, request);
    return { rows: await addGroups(database, rows), next };
  }
  const own = caller.kind === 'user' ? await findUser(database, caller.userId) : undefined;
  return { rows: own === undefined ? [] : [own], next: null };
}
