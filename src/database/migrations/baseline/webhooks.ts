import type { Dialect } from '../../database.ts';

/** Endpoints of webhooks, their deliveries and the attempts of each. */
export function createWebhooks({ text, key, integer, bytes, tableOptions }: Dialect): string[] {
  return [
    `create table webhook_endpoints (
      id ${key} primary key,
      url ${text} not null,
      types ${text},
      description ${text},
      enabled ${integer} not null,
      disabled_reason ${key},
      secret ${bytes} not null,
      previous_secret ${bytes},
      previous_secret_until ${integer},
      next_number ${integer} not null,
      replay_next_number ${integer},
      replay_last_number ${integer},
      replay_from ${integer},
      replay_to ${integer},
      failing_since ${integer},
      last_failure_at ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      version ${integer} not null
    ) ${tableOptions}`,
    // The number, subject and sequence of a test are null. Without a foreign key: those of a deleted endpoint are
    // deleted in batches.
    `create table webhook_deliveries (
      id ${key} primary key,
      endpoint_id ${key} not null,
      event_number ${integer},
      event_id ${key} not null,
      type ${key} not null,
      subject ${key},
      sequence ${integer},
      occurred_at ${integer} not null,
      state ${key} not null,
      attempts ${integer} not null,
      created_at ${integer} not null,
      finished_at ${integer}
    ) ${tableOptions}`,
    'create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id)',
    'create index webhook_deliveries_state on webhook_deliveries (endpoint_id, state, id)',
    'create index webhook_deliveries_finished_at on webhook_deliveries (state, finished_at)',
    `create table webhook_attempts (
      delivery_id ${key} not null references webhook_deliveries (id) on delete cascade,
      attempt ${integer} not null,
      at ${integer} not null,
      duration_ms ${integer} not null,
      status ${integer},
      error ${key},
      line ${text},
      primary key (delivery_id, attempt)
    ) ${tableOptions}`,
  ];
}
