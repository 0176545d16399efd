/** Parameters and responses of lists of events. */
import { ACTOR_TYPES } from '../../../callers/action-context.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableText, text, timestamp, uuid } from '../../../lib/schema/members.ts';
import { describeContent } from '../../../plugins/openapi/describe-response.ts';
import { EVENT_TYPE_NAMES, OUTCOMES } from '../event-types.ts';
import { eventSchema } from '../schemas.ts';
import { CLOUD_EVENTS_TYPE } from './cloud-events.ts';
import * as examples from './examples.ts';
import { EVENT_ORDERS, EXAMINED } from './queries.ts';
import { MAX_SUBJECT_LENGTH } from './read-filter.ts';

const time = { type: 'string', format: 'date-time' } as const satisfies JsonSchema;

export const filterParameters = {
  type: { type: 'string', enum: EVENT_TYPE_NAMES, description: 'Returns the events of this type.' },
  subject: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SUBJECT_LENGTH,
    description: 'Returns the events with this subject: `user:` and the id of a user, or another name.',
    examples: [`user:${examples.userId}`],
  },
  actor: {
    type: 'string',
    description: `Returns the events that such an actor has caused: ${ACTOR_TYPES.map((type) => `\`${type}\``).join(', ')}, or \`user:\` and the id of a user.`,
    examples: ['administrator'],
  },
  outcome: { type: 'string', enum: OUTCOMES, description: 'Returns the events with this outcome.' },
  from: { ...time, description: 'Returns events of this time and later.' },
  to: { ...time, description: 'Returns events before this time.' },
} as const satisfies Record<string, JsonSchema>;

export const orderParameter = {
  type: 'string',
  enum: EVENT_ORDERS,
  default: '-time',
  description:
    'The newest first, or with `time` the oldest first, in the order in which they were recorded: then every page has a `next_cursor`, also the last one, to ask again with.',
} as const satisfies JsonSchema;

export const pageParameters = {
  limit: {
    type: 'integer',
    minimum: 0,
    default: 20,
    description: `Events per page: 1 to 100. 0 means 20, more than 100 means 100. A request examines at most ${EXAMINED} events, so a page may have fewer events, or none: only \`next_cursor\` tells whether there are more.`,
  },
  cursor: {
    type: 'string',
    minLength: 1,
    description:
      'Position of the page: `next_cursor` of the previous page, requested with the same filters and order.',
  },
} as const satisfies Record<string, JsonSchema>;

function listSchema<const S extends JsonSchema>(items: S) {
  return {
    type: 'object',
    required: ['message', 'data', 'next_cursor'],
    properties: { message: text, data: { type: 'array', items }, next_cursor: nullableText },
  } as const;
}

export const ownEventListSchema = listSchema({ $ref: 'OwnEvent' });

const cloudEventSchema = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'time', 'sequence'],
  properties: {
    specversion: { type: 'string', const: '1.0' },
    id: uuid,
    source: { ...text, description: 'URL of the service.' },
    type: { $ref: 'EventType' },
    time: timestamp,
    subject: { ...text, description: 'Missing if the event has none.' },
    subjectsequence: { type: 'integer', description: 'Number among the events of the subject.' },
    sequence: { ...text, description: 'Number among all events, with leading zeros.' },
  },
} as const satisfies JsonSchema;

const described = {
  description: 'The events.',
  headers: { Link: 'URLs of the next and the first page, if there is more than one (RFC 8288).' },
};
const json = describeContent('application/json', listSchema(eventSchema), {
  ...described,
  examples: { events: examples.events },
});
const cloudEvents = describeContent(
  CLOUD_EVENTS_TYPE,
  { type: 'array', items: cloudEventSchema },
  { ...described, examples: { events: examples.cloudEvents } },
);

/** The response in both media types. */
export const eventListResponse = { ...json, content: { ...json.content, ...cloudEvents.content } };
