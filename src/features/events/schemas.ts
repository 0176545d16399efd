/** Schemas of events in responses, and webhooks as OpenAPI 3.1 describes them: one for each type of events. */
import { ACTOR_TYPES } from '../../callers/action-context.ts';
import {
  extendSchema,
  type JsonSchema,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
  uuid,
} from '../../lib/schema/json-schema.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, OUTCOMES } from './event-types.ts';

const eventType = {
  type: 'string',
  enum: EVENT_TYPE_NAMES,
  description: 'More types may be added.',
} as const satisfies JsonSchema;

const eventTypeSchema = { $id: 'EventType', ...eventType } as const satisfies JsonSchema;

/** For bodies of requests, whose schemas refer to no other. */
export const namedEventType = { title: 'EventType', ...eventType } as const satisfies JsonSchema;

const thinProperties = {
  id: uuid,
  type: { $ref: 'EventType' },
  time: timestamp,
  subject: { ...nullableText, description: '`user:` or `webhook:` and an id, or another name.' },
  sequence: {
    type: ['integer', 'null'],
    description: 'Number among the events of the subject, beginning with 1; null without a subject.',
  },
} as const satisfies Record<string, JsonSchema>;

export const ADMINISTRATOR_KINDS = ['person', 'credential', 'first_owner', 'command_line'] as const;

const kind = {
  type: ['string', 'null'],
  enum: [...ADMINISTRATOR_KINDS, null],
  description:
    'How an administrator acted: as a user with a role, with a credential, with `ADMIN_TOKEN`, or on the command line. Null for others, absent in events that users read about themselves.',
} as const satisfies JsonSchema;

const actor = {
  type: 'object',
  required: ['type', 'id', 'name'],
  properties: {
    type: { type: 'string', enum: ACTOR_TYPES },
    id: {
      ...nullableText,
      description: 'Id of the user or of the credential; null for others, and for `ADMIN_TOKEN`.',
    },
    name: {
      ...nullableText,
      description:
        'Name of the credential, or of the person with a role as it is now; null for others, and for erased people.',
    },
    kind,
  },
  description: 'The cause of the event. `system` is the service itself.',
} as const satisfies JsonSchema;

const scalar = { type: ['string', 'number', 'boolean', 'null'] } as const satisfies JsonSchema;

const changes = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: text, from: scalar, to: scalar },
  },
  description: 'Members that were changed. Values of `state`, `level`, `enabled` and settings only.',
} as const satisfies JsonSchema;

const ownProperties = {
  ...thinProperties,
  actor,
  outcome: { type: 'string', enum: OUTCOMES },
  reason: nullableText,
  changes,
  details: { type: ['object', 'null'], additionalProperties: true },
  address: {
    ...nullableText,
    description: 'Network of the client, or its whole address if the operator keeps it.',
  },
  device: {
    ...nullableText,
    description: 'Program of the client, as it describes itself. It proves nothing.',
  },
  occurrences: {
    type: 'integer',
    minimum: 1,
    description: 'More than 1 for an event that stands for several.',
  },
} as const satisfies Record<string, JsonSchema>;

const ownEventSchema = {
  $id: 'OwnEvent',
  type: 'object',
  required: Object.keys(ownProperties) as (keyof typeof ownProperties)[],
  properties: ownProperties,
} as const satisfies JsonSchema;

export const eventSchema = {
  ...extendSchema(ownEventSchema, {
    actor: { ...actor, required: [...actor.required, 'kind'] },
    first_at: { ...nullableTimestamp, description: 'The first of several occurrences.' },
    last_at: { ...nullableTimestamp, description: 'The last of several occurrences.' },
    request_id: nullableText,
    user: {
      type: ['object', 'null'],
      required: ['id', 'email', 'name'],
      properties: { id: uuid, email: nullableText, name: nullableText },
      description: 'The user that it is about as they are now; null if they are erased.',
    },
  }),
  title: 'Event',
} as const satisfies JsonSchema;

/** Payload of a webhook for an event. */
const eventMessageSchema = {
  $id: 'EventMessage',
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { $ref: 'EventType' },
    timestamp: { ...timestamp, description: 'Time of the event.' },
    data: {
      type: 'object',
      required: ['id', 'subject', 'sequence'],
      properties: {
        id: thinProperties.id,
        subject: thinProperties.subject,
        sequence: thinProperties.sequence,
        number: { type: 'integer', description: 'With `events.head` only.' },
        digest: { type: 'string' },
      },
    },
  },
} as const satisfies JsonSchema;

/** Schemas that others refer to by their `$id`. */
export const eventSchemas = [eventTypeSchema, ownEventSchema, eventMessageSchema] as const;

const content = { 'application/json': { schema: { $ref: '#/components/schemas/EventMessage' } } };

/** Every event is sent alike. */
export const webhookPathItems = {
  EventReceiver: {
    post: {
      operationId: 'receiveEvent',
      // Signed: docs/webhooks.md describes the verification.
      security: [],
      summary: 'Receive an event',
      requestBody: { required: true, content },
      responses: { '2XX': { description: 'Received.' } },
    },
  },
};

/** Returns references to the path item, by type. */
export function describeWebhooks() {
  const entries = Object.entries(EVENT_TYPES).map(([type, { meaning: description }]) => [
    type,
    { $ref: '#/components/pathItems/EventReceiver', description },
  ]);
  return Object.fromEntries(entries);
}
