/** The record of a webhook: its row, its schemas, what the API shows of it, and examples. */
import * as json from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { DAY, formatTimes, formatTimestamp } from '../../lib/time.ts';
import { namedEventType } from '../events/schemas.ts';
import { nullableText, nullableTimestamp, timestamp, uuid } from '../users/records/member-schemas.ts';
import { exampleId as id } from '../users/records/schemas.ts';

export const MAX_ENDPOINTS = 50;
/** Pending deliveries of an endpoint. */
export const MAX_PENDING = 10_000;
/** Longer than all attempts to deliver an event take. */
export const LIFETIME_MS = 7 * DAY;

/** Why no events are delivered: the administrator's choice, a 410, or failures for days. */
const DISABLED_REASONS = ['administrator', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An endpoint without its secrets. Times in epoch milliseconds. */
export interface EndpointRow {
  readonly id: string;
  readonly url: string;
  /** JSON array; null for all types. */
  readonly types: string | null;
  readonly description: string | null;
  /** 1 or 0. */
  readonly enabled: number;
  /** Null if it is enabled. */
  readonly disabled_reason: DisabledReason | null;
  /** Time until which deliveries are also signed with the secret before the last rotation. */
  readonly previous_secret_until: number | null;
  /** Time of the first of the failures without a success since; null if the last delivery succeeded. */
  readonly failing_since: number | null;
  /** Error or status of the last failure since then. */
  readonly last_error: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

export interface EndpointWithSecret {
  readonly endpoint: EndpointRow;
  /** Stored encrypted: it is returned only once. */
  readonly secret: Uint8Array;
}

const types = {
  type: ['array', 'null'],
  items: namedEventType,
  minItems: 1,
  description: 'Types of the events that are delivered; null for all, also those of later releases.',
} as const satisfies json.JsonSchema;

const count = { type: 'integer', minimum: 0 } as const satisfies json.JsonSchema;

export const webhookSchema = {
  $id: 'Webhook',
  ...json.recordSchema({
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
} as const satisfies json.JsonSchema;

export const webhookHealthSchema = {
  $id: 'WebhookHealth',
  ...json.extendSchema(webhookSchema, {
    recent: {
      ...json.recordSchema({ delivered: count, failed: count, pending: count }),
      description: 'Deliveries that were created in the last 24 hours: the last 100 of them.',
    },
    pending: { ...count, description: 'Pending deliveries, at most 10,000.' },
    undelivered: {
      ...count,
      description: 'Deliveries that a replay with `since_failing` attempts again, at most 20,001.',
    },
  }),
} as const satisfies json.JsonSchema;

const secret = {
  type: 'string',
  description: 'The secret of the signatures, as Standard Webhooks write it. Shown once; stored encrypted.',
} as const satisfies json.JsonSchema;

export const newSecretSchema = json.dataSchema({
  ...json.extendSchema(webhookSchema, { secret }),
  title: 'NewWebhook',
});

export const webhookResponseSchema = json.dataSchema({ $ref: 'Webhook' });
export const webhookHealthResponseSchema = json.dataSchema({ $ref: 'WebhookHealth' });
export const webhookListSchema = json.dataSchema({ type: 'array', items: { $ref: 'WebhookHealth' } });

const url = {
  type: 'string',
  maxLength: 2_048,
  pattern: json.STORABLE_PATTERN,
  'x-trim': true,
  description:
    'Where events are sent to: an https URL that leads to a public address, without user and fragment. The operator may allow further networks, also by http.',
} as const satisfies json.JsonSchema;

const description = {
  type: ['string', 'null'],
  maxLength: 200,
  pattern: json.STORABLE_PATTERN,
  'x-trim': true,
  description: 'For people. Surrounding white space is removed.',
} as const satisfies json.JsonSchema;

const enabled = { type: 'boolean', 'x-filled': true } as const satisfies json.JsonSchema;

export const createWebhookSchema = json.closedSchema(['url'], {
  url,
  types,
  description,
  enabled: { ...enabled, default: true, description: 'Whether events are delivered.' },
});

export const updateWebhookSchema = json.closedSchema([], {
  url: { ...url, 'x-filled': true },
  types,
  description,
  enabled: {
    ...enabled,
    description:
      'Whether events are delivered. A webhook that is enabled again has no failures and no `disabled_reason`.',
  },
});

export const webhookIdSchema = idParameters({ id: 'Id of a webhook.' });

/** Returns a webhook as the API shows it. */
export function webhookView(endpoint: EndpointRow, now: number) {
  const { types, enabled, previous_secret_until: until } = endpoint;
  return {
    ...formatTimes(endpoint, ['failing_since', 'created_at', 'updated_at']),
    types: types === null ? null : JSON.parse(types),
    enabled: enabled === 1,
    previous_secret_until: until !== null && until > now ? formatTimestamp(until) : null,
  };
}

const newWebhook = {
  url: 'https://example.com/frontdesk',
  types: ['user.created', 'user.erased'],
  description: 'Newsletter',
};

const webhookExample = {
  id,
  ...newWebhook,
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  last_error: null,
  previous_secret_until: null,
  created_at: '2026-01-05T09:30:00.000Z',
  updated_at: '2026-01-05T09:30:00.000Z',
  version: 1,
};

const recent = { delivered: 98, failed: 0, pending: 2 };
const healthy = { ...webhookExample, recent, pending: 2, undelivered: 0 };

const created = {
  message: 'Webhook created',
  data: { ...webhookExample, secret: 'whsec_Zm9yIHRoZSBkZXNjcmlwdGlvbiBvbmx5LCBuZXZlciB1c2U=' },
};

const rotated = {
  message: 'Webhook secret rotated',
  data: { ...created.data, previous_secret_until: '2026-01-07T08:00:00.000Z', version: 2 },
};

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = {
  newWebhook,
  created,
  rotated,
  list: { message: 'Webhooks list', data: [healthy] },
  response: { message: `Webhook ${id}`, data: healthy },
  updated: {
    message: `Webhook ${id}`,
    data: { ...webhookExample, enabled: false, disabled_reason: 'administrator', version: 2 },
  },
};
