import type { Database } from '../../../database/database.ts';
import { type Route, route } from '../../../http/route.ts';
import { type Clock, timestamp } from '../../../lib/clock.ts';
import { readFilter } from '../rules.ts';
import { listParameters } from '../schemas.ts';
import { createExportUsers } from './export-users.ts';

export interface ExportDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const MEDIA_TYPE = 'text/csv';
const { state, email, search } = listParameters;

export function exportRoutes({ database, clock }: ExportDeps): Route[] {
  const exportUsers = createExportUsers({ database });
  return [
    route({
      method: 'GET',
      path: '/api/v1/admin/users/export',
      operationId: 'exportUsers',
      tag: 'Users',
      summary: 'Export users as CSV',
      description:
        'Returns the records that the same filters of the list have, without a limit: oldest first, or with `search` in the order of the text that matches. Values that a spreadsheet would execute as a formula begin with an apostrophe. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
      access: 'admin',
      query: { state, email, search },
      mediaType: MEDIA_TYPE,
      responses: {
        200: {
          description: 'A line with the names of the columns, and one for each record.',
          schema: { type: 'string' },
          headers: { 'Content-Disposition': 'Name of the file, with the UTC date.' },
        },
      },
      problems: ['invalid_filter'],
      handle: async ({ query }) => ({
        status: 200,
        headers: {
          'content-type': `${MEDIA_TYPE}; charset=utf-8`,
          'content-disposition': `attachment; filename="users-${timestamp(clock()).slice(0, 10)}.csv"`,
        },
        body: await exportUsers(readFilter(query)),
      }),
    }),
  ];
}
