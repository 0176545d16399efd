import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { describeContent } from '../../plugins/openapi/describe-response.ts';
import { createExportUsers } from './export-users.ts';
import { filterSchema, toUserFilter } from './records/list/schemas.ts';

const MEDIA_TYPE = 'text/csv';

const exportUsersRoute = {
  schema: {
    operationId: 'exportUsers',
    tags: ['User administration'],
    summary: 'Export users as CSV',
    description:
      'Returns the records that the same filters of the list have, without a limit, oldest first. Values that a spreadsheet would execute as a formula begin with an apostrophe. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
    querystring: filterSchema,
    response: {
      200: describeContent(
        MEDIA_TYPE,
        { type: 'string' },
        {
          description: 'A line with the names of the columns, and one for each record.',
          headers: { 'Content-Disposition': 'Name of the file, with the UTC date.' },
        },
      ),
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

export const userExport: FeaturePlugin<DatabaseDeps> = async (app, { database, clock }) => {
  const exportUsers = createExportUsers({ database, clock });
  app.get('/api/v1/admin/users/export', exportUsersRoute, async ({ query }, reply) => {
    const stream = await exportUsers(toUserFilter(query));
    const date = formatTimestamp(clock()).slice(0, 10);
    reply.header('content-type', `${MEDIA_TYPE}; charset=utf-8`);
    reply.header('content-disposition', `attachment; filename="users-${date}.csv"`);
    return reply.sendStream(stream);
  });
};
