/** Parameters and responses of lists of events. */
import { ACTOR_TYPES } from '../../../callers/action-context.ts';
import {
  extendSchema,
  type JsonSchema,
  STORABLE_PATTERN,
  text,
  timestamp,
  uuid,
} from '../../../lib/schema/json-schema.ts';
import { describeContent, PAGE_HEADERS, pageSchema } from '../../../plugins/openapi/describe-response.ts';
import { EVENT_TYPE_NAMES, OUTCOMES } from '../event-types.ts';
import { CLOUD_EVENTS_TYPE } from '../event-view.ts';
import { eventSchema } from '../schemas.ts';
import * as examples from './examples.ts';
import { EVENT_ORDERS } from './queries.ts';

const MAX_SUBJECT_LENGTH = 255;

const time = {
  type: 'string',
  format: 'date-time',
  'x-message': 'must be a time with its offset (RFC 3339), such as 2026-01-31T12:00:00Z',
} as const satisfies JsonSchema;

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

export const filterParameters = {
  type: { type: 'string', enum: EVENT_TYPE_NAMES, description: 'Returns the events of this type.' },
  subject: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SUBJECT_LENGTH,
    pattern: STORABLE_PATTERN,
    'x-message': `must have 1 to ${MAX_SUBJECT_LENGTH} characters, such as user:<id>`,
    description: 'Returns the events with this subject: `user:` and the id of a user, or another name.',
    examples: [`user:${examples.userId}`],
  },
  actor: {
    type: 'string',
    pattern: `^(?:${ACTOR_TYPES.join('|')}|(?:(?:user|administrator):)?${ID})$`,
    'x-message': `must be one of ${ACTOR_TYPES.join(', ')}, an id, user:<id> or administrator:<id>`,
    description: `Returns the events that such an actor has caused: ${ACTOR_TYPES.map((type) => `\`${type}\``).join(', ')}, or the id of a user or credential; after \`user:\` or \`administrator:\` only what they did as such.`,
    examples: ['administrator'],
  },
  outcome: { type: 'string', enum: OUTCOMES, description: 'Returns the events with this outcome.' },
  from: { ...time, description: 'Returns events of this time and later.' },
  to: { ...time, description: 'Returns events before this time.' },
} as const satisfies Record<string, JsonSchema>;

const orderParameter = {
  type: 'string',
  enum: EVENT_ORDERS,
  default: '-time',
  description:
    'The newest first, or with `time` the oldest first, in the order in which they were recorded: then every page has a `next_cursor`, also the last one, to ask again with.',
} as const satisfies JsonSchema;

export const foldParameter = {
  type: 'string',
  enum: ['true', 'false'],
  default: 'false',
  description:
    'With `true`, the events of one act of an administrator, such as an import, are one: the first of them in the order, with `folded`. One request folds at most 10,000 events. CloudEvents are never folded.',
} as const satisfies JsonSchema;

const folded = {
  type: ['object', 'null'],
  required: ['events', 'first_at', 'last_at'],
  properties: { events: { type: 'integer', minimum: 2 }, first_at: timestamp, last_at: timestamp },
  description:
    'The number of events that this one stands for, and their times; null if it stands for itself.',
} as const satisfies JsonSchema;

const listedEventSchema = { ...extendSchema(eventSchema, { folded }), title: 'ListedEvent' };

/** Filters and order of lists and exports. */
export const listQuerySchema = {
  type: 'object',
  properties: { ...filterParameters, order: orderParameter },
} as const satisfies JsonSchema;

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

const described = { description: 'The events.', headers: PAGE_HEADERS };
const json = describeContent('application/json', pageSchema(listedEventSchema), {
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
