import {
  dataSchema,
  extendSchema,
  type JsonSchema,
  recordSchema,
  STORABLE_PATTERN,
} from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { namedEventType } from '../events/schemas.ts';
import { nullableText, nullableTimestamp, timestamp, uuid } from '../users/records/member-schemas.ts';
import { DISABLED_REASONS } from './queries.ts';

const types = {
  type: ['array', 'null'],
  items: namedEventType,
  minItems: 1,
  description: 'Types of the events that are delivered; null for all, also those of later releases.',
} as const satisfies JsonSchema;

const count = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;

export const webhookSchema = {
  $id: 'Webhook',
  ...recordSchema({
    id: uuid,
    url: { type: 'string', description: 'In its normal form.' },
    types: { ...types, items: { type: 'string' } },
    description: nullableText,
    enabled: { type: 'boolean' },
    disabled_reason: {
      type: ['string', 'null'],
      enum: [...DISABLED_REASONS, null],
      description:
        'Why nothing is delivered: `administrator` (by a request), `gone` (the receiver responded with 410) or `failing` (for days); null if the webhook is enabled.',
    },
    failing_since: {
      ...nullableTimestamp,
      description: 'The first of the failures without a success since; null without one.',
    },
    last_error: {
      ...nullableText,
      description: 'Error or status of the last failure since then, as in `attempts`; null without one.',
    },
    previous_secret_until: {
      ...nullableTimestamp,
      description: 'Until then, deliveries are also signed with the secret before the last rotation.',
    },
    created_at: timestamp,
    updated_at: timestamp,
    version: { type: 'integer', minimum: 1, description: 'The number in the ETag.' },
  }),
} as const satisfies JsonSchema;

/** A webhook with the state of its deliveries. */
export const webhookHealthSchema = {
  $id: 'WebhookHealth',
  ...extendSchema(webhookSchema, {
    recent: {
      ...recordSchema({ delivered: count, failed: count, pending: count }),
      description: 'Deliveries that were created in the last 24 hours: the last 100 of them.',
    },
    pending: { ...count, description: 'Pending deliveries, at most 10,000.' },
    undelivered: {
      ...count,
      description: 'Deliveries that a replay with `since_failing` attempts again, at most 20,001.',
    },
  }),
} as const satisfies JsonSchema;

const secret = {
  type: 'string',
  description: 'The secret of the signatures, as Standard Webhooks write it. Shown once; stored encrypted.',
} as const satisfies JsonSchema;

/** A webhook with its secret. */
export const newSecretSchema = dataSchema({
  ...extendSchema(webhookSchema, { secret }),
  title: 'NewWebhook',
});

export const webhookResponseSchema = dataSchema({ $ref: 'Webhook' });
export const webhookHealthResponseSchema = dataSchema({ $ref: 'WebhookHealth' });
export const webhookListSchema = dataSchema({ type: 'array', items: { $ref: 'WebhookHealth' } });

const url = {
  type: 'string',
  maxLength: 2_048,
  pattern: STORABLE_PATTERN,
  'x-trim': true,
  description:
    'Where events are sent to: an https URL that leads to a public address, without user and fragment. The operator may allow further networks, also by http.',
} as const satisfies JsonSchema;

const description = {
  type: ['string', 'null'],
  maxLength: 200,
  pattern: STORABLE_PATTERN,
  'x-trim': true,
  description: 'For people. Surrounding white space is removed.',
} as const satisfies JsonSchema;

const enabled = { type: 'boolean', 'x-filled': true } as const satisfies JsonSchema;

export const createWebhookSchema = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url,
    types,
    description,
    enabled: { ...enabled, default: true, description: 'Whether events are delivered.' },
  },
} as const satisfies JsonSchema;

export const updateWebhookSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { ...url, 'x-filled': true },
    types,
    description,
    enabled: {
      ...enabled,
      description:
        'Whether events are delivered. A webhook that is enabled again has no failures and no `disabled_reason`.',
    },
  },
} as const satisfies JsonSchema;

export const webhookIdSchema = idParameters({ id: 'Id of a webhook.' });
