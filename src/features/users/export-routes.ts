import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { XLSX_TYPE } from '../../lib/spreadsheets/workbook.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { preferredType } from '../../plugins/problems/negotiation.ts';
import { createExportUsers } from './export-users.ts';
import { filterSchema, toUserFilter } from './records/list/schemas.ts';

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

export const userExport: FeaturePlugin<DatabaseDeps> = async (app, { database, clock }) => {
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
