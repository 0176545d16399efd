import { ENGINES } from '../../../database/database.ts';
import { dataSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { text, timestamp } from '../../users/records/member-schemas.ts';
import { DELIVERIES, MAX_COUNTED_MAIL } from './status.ts';

const count = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;

const database = {
  type: 'object',
  required: ['engine', 'location'],
  properties: {
    engine: { type: 'string', enum: ENGINES },
    location: { ...text, description: 'A file, or host and name of the database.' },
  },
} as const satisfies JsonSchema;

const mail = {
  type: 'object',
  required: ['delivery', 'waiting', 'failed', 'has_more', 'dropped'],
  properties: {
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
  },
} as const satisfies JsonSchema;

export const statusSchema = dataSchema({
  type: 'object',
  required: [
    'generated_at',
    'version',
    'node_version',
    'started_at',
    'uptime_seconds',
    'memory_bytes',
    'database',
    'mail',
  ],
  properties: {
    generated_at: { ...timestamp, description: 'Time of this status by the clock of the database.' },
    version: { ...text, description: 'Release of the service.' },
    node_version: { ...text, description: 'Release of Node that runs it.' },
    started_at: timestamp,
    uptime_seconds: count,
    memory_bytes: { ...count, description: 'Memory that the process occupies (resident set size).' },
    database,
    mail,
  },
});
