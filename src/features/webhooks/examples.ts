/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId as id } from '../users/records/schemas.ts';

export const newWebhook = {
  url: 'https://example.com/frontdesk',
  types: ['user.created', 'user.erased'],
  description: 'Newsletter',
};

export const webhook = {
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
const healthy = { ...webhook, recent, pending: 2, undelivered: 0 };

export const created = {
  message: 'Webhook created',
  data: { ...webhook, secret: 'whsec_Zm9yIHRoZSBkZXNjcmlwdGlvbiBvbmx5LCBuZXZlciB1c2U=' },
};

export const rotated = {
  message: 'Webhook secret rotated',
  data: { ...created.data, previous_secret_until: '2026-01-07T08:00:00.000Z', version: 2 },
};

export const list = { message: 'Webhooks list', data: [healthy] };
export const response = { message: `Webhook ${id}`, data: healthy };
export const updated = {
  message: `Webhook ${id}`,
  data: { ...webhook, enabled: false, disabled_reason: 'administrator', version: 2 },
};
