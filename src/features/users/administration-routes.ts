/** All changes and views of users for the administrator. */
import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { XLSX_TYPE } from '../../lib/spreadsheets/workbook.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { defineList } from '../../plugins/openapi/describe-response.ts';
import { preferredType } from '../../plugins/problems/negotiation.ts';
import { eventView } from '../events/event-view.ts';
import { events as example } from '../events/list/examples.ts';
import { findSubjects } from '../events/list/list-events.ts';
import { type EventListDeps, readUserEvents } from '../events/routes.ts';
import { eventSchema } from '../events/schemas.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import type { SessionRouteDeps } from '../people/sign-in/session-routes.ts';
import type { TokenRouteDeps } from '../people/tokens/routes.ts';
import { userBatches } from './batch-users/routes.ts';
import { createExportUsers } from './export-users.ts';
import { userMerges } from './merge-routes.ts';
import { filterSchema, toUserFilter } from './records/list/schemas.ts';
import { findUser } from './records/queries.ts';
import { parseUserId, requireUser } from './records/rules.ts';
import { userIdSchema } from './records/schemas.ts';
import { userSessions, userTokens } from './token-routes.ts';
import { userAccess, userChanges } from './user-routes.ts';

const listUserEventsOperation = {
  operationId: 'listUserEvents',
  tags: ['User administration'],
  summary: "List a user's events",
  description: 'Returns what happened to the account, newest first.',
  params: userIdSchema,
  ...defineList({}, eventSchema, { description: 'The events.', examples: { events: example } }),
} as const;

const problems = ['user_not_found'] as const;

const userEvents: FeaturePlugin<EventListDeps> = async (app, deps) => {
  app.get(
    '/api/v1/users/:id/events',
    { schema: listUserEventsOperation, config: { access: 'admin', scope: 'users:read', problems } },
    async ({ params, query }, reply) => {
      const userId = parseUserId(params.id);
      requireUser(await findUser(deps.database, userId));
      const path = `/api/v1/users/${userId}/events`;
      const { rows, next_cursor } = await readUserEvents(reply, deps, { userId, path, query });
      const users = await findSubjects(deps.database, rows);
      return { message: 'Events', data: rows.map((event) => eventView(event, users)), next_cursor };
    },
  );
};

export const userAdministration: FeaturePlugin<
  AccountDeps & TokenRouteDeps & SessionRouteDeps & Parameters<typeof userEvents>[1]
> = async (app, deps) => {
  await app.register(userChanges, deps);
  await app.register(userBatches, deps);
  await app.register(userExport, deps);
  await app.register(userTokens, deps);
  await app.register(userSessions, deps);
  await app.register(userEvents, deps);
  await app.register(userAccess, deps);
  await app.register(userMerges, deps);
};

const CSV_TYPE = 'text/csv';

const exportUsersRoute = {
  schema: {
    operationId: 'exportUsers',
    tags: ['User administration'],
    summary: 'Export users',
    description:
      'Returns the records that the same filters of the list have, without a limit, oldest first: as CSV, or as a spreadsheet (.xlsx) with titles above the names of the columns. Values of CSV files that a spreadsheet would execute as a formula begin with an apostrophe. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
    querystring: {
      type: 'object',
      properties: {
        ...filterSchema.properties,
        format: { type: 'string', enum: ['csv', 'xlsx'], description: 'Replaces the header `Accept`.' },
      },
    },
    response: {
      200: {
        description: 'A row with the names of the columns, and one for each record.',
        headers: {
          'Content-Disposition': { type: 'string', description: 'Name of the file, with the UTC date.' },
        },
        content: {
          [CSV_TYPE]: { schema: { type: 'string' } },
          [XLSX_TYPE]: { schema: { type: 'string', format: 'binary' } },
        },
      },
    },
  },
  config: {
    access: 'admin',
    scope: 'users:export',
    recentSignIn: 'always',
    problems: ['invalid_filter'],
    isRecorded: true,
  },
} as const;

const userExport: FeaturePlugin<DatabaseDeps> = async (app, { database, clock }) => {
  const exportUsers = createExportUsers({ database, clock });
  app.get('/api/v1/admin/users/export', exportUsersRoute, async ({ query, headers }, reply) => {
    const type = query.format ?? chooseType(headers.accept);
    const stream = await exportUsers(toUserFilter(query), type);
    const date = formatTimestamp(clock()).slice(0, 10);
    reply.header('content-type', type === 'csv' ? `${CSV_TYPE}; charset=utf-8` : XLSX_TYPE);
    reply.header('content-disposition', `attachment; filename="users-${date}.${type}"`);
    return reply.sendStream(stream);
  });
};

/** CSV is also sent to clients that do not accept it, as it was before there were other formats. */
function chooseType(accept: string | undefined): 'csv' | 'xlsx' {
  return preferredType(accept, [CSV_TYPE, XLSX_TYPE]) === XLSX_TYPE ? 'xlsx' : 'csv';
}
