/** The route that exports events. */
import type { DatabaseDeps } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { describeContent } from '../../plugins/openapi/describe-response.ts';
import { createExportEvents } from './list/export-events.ts';
import { toEventList } from './list/list-events.ts';
import { listQuerySchema } from './list/schemas.ts';
import type { Numbering } from './numbering/numbering.ts';

export interface EventExportDeps extends DatabaseDeps {
  readonly numbering: Numbering;
}

const MEDIA_TYPE = 'application/x-ndjson';

const exportEventsOperation = {
  operationId: 'exportEvents',
  tags: ['Events'],
  summary: 'Export events as NDJSON',
  description:
    'Returns the events that the same filters of the list have at the start, without a limit. A transfer that ends without its last chunk is incomplete. A node runs two exports at a time.',
  querystring: listQuerySchema,
  response: {
    200: describeContent(
      MEDIA_TYPE,
      { type: 'string' },
      {
        description: 'A line for each event, with a JSON object like those of the list.',
        headers: { 'Content-Disposition': 'Name of the file, with the UTC date.' },
      },
    ),
  },
} as const;

export const eventExport: FeaturePlugin<EventExportDeps> = async (app, { database, clock, numbering }) => {
  const exportEvents = createExportEvents({ database, clock });
  app.get(
    '/api/v1/events/export',
    {
      schema: exportEventsOperation,
      config: {
        access: 'admin',
        scope: 'events:read',
        recentSignIn: 'always',
        problems: ['invalid_filter'],
        isRecorded: true,
      },
    },
    async ({ query }, reply) => {
      await numbering.flush();
      const stream = await exportEvents(toEventList(query));
      const date = formatTimestamp(clock()).slice(0, 10);
      reply.type(MEDIA_TYPE).header('content-disposition', `attachment; filename="events-${date}.ndjson"`);
      return reply.sendStream(stream);
    },
  );
};
