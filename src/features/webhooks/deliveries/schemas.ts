import { POST_ERRORS } from '../../../lib/outbound/post-error.ts';
import { dataSchema, recordSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableText, nullableTimestamp, text, timestamp, uuid } from '../../../lib/schema/members.ts';
import { idParameters } from '../../../lib/schema/parameters.ts';
import { SECRET_UNREADABLE } from '../delivery/store-outcome.ts';
import { webhookSchema } from '../schemas.ts';
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

export const deliverySchema = {
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

export const deliveryFilters = {
  state: { type: 'string', enum: DELIVERY_STATES, description: 'Only deliveries in this state.' },
} as const satisfies Record<string, JsonSchema>;

export const deliveryIdSchema = idParameters({ id: 'Id of a webhook.', delivery_id: 'Id of a delivery.' });

export const testResponseSchema = dataSchema(recordSchema({ delivery_id: uuid }));

const time = { type: 'string', maxLength: 40, 'x-trim': true } as const satisfies JsonSchema;

export const replaySchema = {
  type: 'object',
  additionalProperties: false,
  'x-oneOf': [{ required: ['since'] }, { required: ['from', 'to'] }, { required: ['event_ids'] }],
  properties: {
    since: { ...time, description: 'Time (RFC 3339) from which on all events are delivered.' },
    from: { ...time, description: 'Beginning of a span, with `to`.' },
    to: { ...time, description: 'End of the span; events of this moment are not part of it.' },
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
export const webhookSchemas = [webhookSchema, deliverySchema] as const;
