/** Deliveries as the API describes them: schemas and examples. */
import { POST_ERRORS } from '../../../lib/outbound/post-result.ts';
import {
  dataSchema,
  extendSchema,
  type JsonSchema,
  nullableText,
  nullableTimestamp,
  recordSchema,
  text,
  timestamp,
  uuid,
} from '../../../lib/schema/json-schema.ts';
import { idParameters } from '../../../lib/schema/query-parameters.ts';
import { exampleId as id } from '../../users/records/schemas.ts';
import { SECRET_UNREADABLE } from '../delivery/store-outcome.ts';
import { webhookHealthSchema, webhookSchema } from '../webhook.ts';
import { DELIVERY_STATES } from './queries.ts';

const attempt = recordSchema({
  attempt: { type: 'integer', minimum: 1 },
  at: timestamp,
  duration_ms: { type: 'integer' },
  status: { type: ['integer', 'null'], description: 'Status of the response; null if there was none.' },
  error: {
    type: ['string', 'null'],
    enum: [...POST_ERRORS, SECRET_UNREADABLE, null],
    description: 'Why there was no complete response; null if there was one.',
  },
  line: { ...nullableText, description: 'The first line of the response, at most 200 characters.' },
});

const stateDescription =
  '`pending` (not yet delivered), `delivered`, or `failed` (after all attempts, or because it has expired).';

const deliverySchema = {
  $id: 'WebhookDelivery',
  ...recordSchema({
    id: uuid,
    event_id: { ...uuid, description: 'The header `webhook-id` of each attempt.' },
    type: { ...text, description: 'Type of the event; `webhook.test` for a test.' },
    subject: nullableText,
    sequence: { type: ['integer', 'null'] },
    occurred_at: { ...timestamp, description: 'Time of the event.' },
    state: { type: 'string', enum: DELIVERY_STATES, description: stateDescription },
    created_at: timestamp,
    finished_at: nullableTimestamp,
    next_attempt_at: { ...nullableTimestamp, description: 'Null when it is finished.' },
    attempts: { type: 'array', items: attempt, description: 'Oldest first.' },
  }),
} as const satisfies JsonSchema;

export const deliveryResponseSchema = dataSchema({ $ref: 'WebhookDelivery' });

const headers = { type: 'object', additionalProperties: text } as const satisfies JsonSchema;

const request = {
  ...recordSchema({
    url: text,
    headers: { ...headers, description: 'As sent, without those of the connection.' },
  }),
  type: ['object', 'null'],
  description: 'Null if nothing was sent, or by an earlier release.',
} as const;

const response = {
  ...recordSchema({
    headers: {
      ...headers,
      description: 'Those that explain the response, with 200 characters each at most.',
    },
    body: {
      ...nullableText,
      description:
        'The first 1,024 bytes as text, in which `\ufffd` replaces invisible characters. Null if it was empty, compressed or not received.',
    },
    is_cut: { type: 'boolean', description: 'Whether the body was longer.' },
  }),
  type: ['object', 'null'],
  description:
    'Null if none was received, or by an earlier release, and after the user of the event is erased.',
} as const;

export const deliveryDetailSchema = dataSchema({
  ...extendSchema(deliverySchema, {
    body: { ...text, description: 'The body of each attempt, as it was sent.' },
    exchanges: {
      type: 'array',
      items: recordSchema({ attempt: { type: 'integer' }, request, response }),
      description: 'What each of the attempts has sent and received.',
    },
  }),
  title: 'WebhookDeliveryDetail',
});

export const deliveryFilters = {
  state: { type: 'string', enum: DELIVERY_STATES, description: 'Only deliveries in this state.' },
} as const satisfies Record<string, JsonSchema>;

export const deliveryIdSchema = idParameters({ id: 'Id of a webhook.', delivery_id: 'Id of a delivery.' });

export const testResponseSchema = dataSchema(recordSchema({ delivery_id: uuid }));

const time = { type: 'string', maxLength: 40, 'x-trim': true } as const satisfies JsonSchema;

export const replaySchema = {
  type: 'object',
  additionalProperties: false,
  'x-oneOf': [
    { required: ['since'] },
    { required: ['from', 'to'] },
    { required: ['event_ids'] },
    { required: ['since_failing'] },
  ],
  properties: {
    since: { ...time, description: 'Time (RFC 3339) from which on all events are delivered.' },
    from: { ...time, description: 'Beginning of a span, with `to`.' },
    to: { ...time, description: 'End of the span; events of this moment are not part of it.' },
    since_failing: {
      type: 'boolean',
      enum: [true],
      'x-filled': true,
      description: 'All deliveries that the webhook has missed since `failing_since`.',
    },
    event_ids: {
      type: 'array',
      items: { type: 'string', maxLength: 36 },
      maxItems: 100,
      'x-filled': true,
      description: 'Single events, of any type.',
    },
  },
} as const satisfies JsonSchema;

export const replayResponseSchema = dataSchema(
  recordSchema({
    events: {
      type: 'integer',
      minimum: 0,
      description: 'The number of deliveries that follow.',
    },
  }),
);

/** Schemas that others refer to by their `$id`. */
export const webhookSchemas = [webhookSchema, webhookHealthSchema, deliverySchema] as const;

const delivery = {
  id,
  event_id: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2f',
  type: 'user.created',
  subject: `user:${id}`,
  sequence: 1,
  occurred_at: '2026-01-05T09:30:00.000Z',
  state: 'pending',
  created_at: '2026-01-05T09:30:00.200Z',
  finished_at: null,
  next_attempt_at: '2026-01-05T09:30:05.310Z',
  attempts: [
    {
      attempt: 1,
      at: '2026-01-05T09:30:00.250Z',
      duration_ms: 60,
      status: 503,
      error: null,
      line: 'Service Unavailable',
    },
  ],
};

const exchanges = delivery.attempts.map(({ attempt }) => ({
  attempt,
  request: {
    url: 'https://example.com/frontdesk',
    headers: {
      'webhook-id': delivery.event_id,
      'webhook-timestamp': '1767605400',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      'content-type': 'application/json',
    },
  },
  response: {
    headers: { 'content-type': 'text/plain', 'retry-after': '120' },
    body: 'Service Unavailable\n',
    is_cut: false,
  },
}));
const body = `{"type":"user.created","timestamp":"${delivery.occurred_at}","data":{"id":"${delivery.event_id}","subject":"${delivery.subject}","sequence":1}}`;

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = {
  list: { message: 'Deliveries list', data: [delivery], next_cursor: null },
  retried: { message: `Delivery ${id}`, data: delivery },
  detail: { message: `Delivery ${id}`, data: { ...delivery, body, exchanges } },
  test: { message: 'Test requested', data: { delivery_id: id } },
  replay: { since: '2026-01-05T00:00:00Z' },
  replayed: { message: 'Replay requested', data: { events: 250 } },
};
