/** The route of the status of a node. */
import { ENGINES } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { dataSchema, recordSchema } from '../../../lib/schema/data-schema.ts';
import { text, timestamp } from '../../../lib/schema/members.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { createStatus, DELIVERIES, MAX_COUNTED_MAIL, type StatusDeps } from './status.ts';

const count = { type: 'integer', minimum: 0 } as const;

const database = recordSchema({
  engine: { type: 'string', enum: ENGINES },
  location: { ...text, description: 'A file, or host and name of the database.' },
});

const mail = recordSchema({
  delivery: {
    type: 'string',
    enum: DELIVERIES,
    description: 'How messages leave the service; `off`: they wait in the database.',
  },
  waiting: { ...count, description: `Messages that were not sent yet, up to ${MAX_COUNTED_MAIL}.` },
  failed: { ...count, description: 'Those of them of which at least one attempt has failed.' },
  has_more: {
    type: 'boolean',
    description: `Whether more than ${MAX_COUNTED_MAIL} wait: then \`failed\` counts those that expire first.`,
  },
  dropped: {
    ...count,
    description:
      'Messages that were not sent since the database was set up, because their recipient had got enough or too many anonymous requests waited.',
  },
});

const statusSchema = dataSchema(
  recordSchema({
    generated_at: { ...timestamp, description: 'Time of this status by the clock of the database.' },
    version: { ...text, description: 'Release of the service.' },
    node_version: { ...text, description: 'Release of Node that runs it.' },
    started_at: timestamp,
    uptime_seconds: count,
    memory_bytes: { ...count, description: 'Memory that the process occupies (resident set size).' },
    database,
    mail,
  }),
);

export const status: FeaturePlugin<StatusDeps> = async (app, deps) => {
  const readStatus = createStatus(deps);
  app.get(
    '/api/v1/admin/status',
    {
      schema: {
        operationId: 'getStatus',
        tags: ['Administration'],
        summary: 'Get the status of the node that responds',
        description: 'Read at most every two seconds; `generated_at` is when.',
        response: { 200: describeResponse(statusSchema, { description: 'The status.' }) },
      },
      config: { access: 'admin', scope: 'settings:read' },
    },
    async () => ({ message: 'Status', data: await readStatus() }),
  );
};
