/** Endpoints, events and the workers that deliver them, with a clock that the test sets and no service. */
import { type Database, sql } from '../../src/database/database.ts';
import type { EventType } from '../../src/features/events/event-types.ts';
import { recordEvent } from '../../src/features/events/record-event.ts';
import { JobWorker } from '../../src/features/jobs/job-worker.ts';
import {
  createEndpoint,
  createSecretSeal,
  formatSecret,
} from '../../src/features/webhooks/change-webhook.ts';
import { createFanOut } from '../../src/features/webhooks/delivery/start-webhooks.ts';
import { createWebhookJobs } from '../../src/features/webhooks/delivery/webhook-jobs.ts';
import { type EndpointChanges, toSettings } from '../../src/features/webhooks/rules.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { createAddressPolicy } from '../../src/lib/outbound/address-policy.ts';
import { createPostClient } from '../../src/lib/outbound/post-client.ts';
import { DAY } from '../../src/lib/time.ts';
import { numberAllEvents } from './events.ts';
import type { ReceivedRequest } from './receiver.ts';

export const OPERATOR = 'operator@example.com';
const CLEAR = ['jobs', 'webhook_deliveries', 'webhook_endpoints', 'settings'].map((table) =>
  sql(`delete from ${table}`),
);

export interface WebhookOptions {
  readonly deadlineMs?: number;
  readonly secretKey?: string;
}

/** Nodes of each test, which are closed when it sets up others: they would run the same jobs. */
const nodes = new WeakMap<object, (() => Promise<void>)[]>();

/** Deletes all endpoints, and returns what works on those of the test. */
export async function useWebhooks(
  context: { after(clean: () => Promise<void>): void },
  database: Database,
  { deadlineMs = 1_000, secretKey = 'secret-key-of-the-tests-of-deliveries' }: WebhookOptions = {},
) {
  const closing = nodes.get(context) ?? [];
  nodes.set(context, closing);
  for (const close of closing.splice(0)) await close();
  await database.transaction(async (tx) => {
    for (const statement of CLEAR) await tx.run(statement);
  });
  const time = { now: Date.UTC(2026, 10, 22, 12) };
  const clock = () => time.now;
  const log: Record<string, unknown>[] = [];
  const logger = createLog('info', { write: (line: string) => void log.push(JSON.parse(line)) });
  const webhookSecrets = createSecretSeal(secretKey);
  const deps = { database, clock, monotonicClock: clock, logger, webhookSecrets, pollMs: DAY };

  /** Starts the worker of a node. Delays of retries have no jitter. */
  const startNode = () => {
    const client = createPostClient({ policy: createAddressPolicy(['127.0.0.1']), deadlineMs });
    const worker = new JobWorker(
      deps,
      createWebhookJobs({ ...deps, client, operatorEmail: OPERATOR, random: () => 0.5 }),
    );
    const fanOut = createFanOut(deps);
    const close = async () => {
      await worker.close();
      await client.close();
    };
    closing.push(close);
    context.after(close);
    return { worker, fanOut };
  };
  const first = startNode();
  /** Numbers all events, makes their deliveries and runs those that are due. */
  const deliver = async () => {
    await numberAllEvents(database);
    await first.fanOut();
    await first.worker.runDue();
  };
  const create = async (url: string, changes: EndpointChanges = {}) => {
    await numberAllEvents(database);
    const { endpoint, secret } = await database.transaction((tx) =>
      createEndpoint(deps, tx, toSettings({ ...changes, url })),
    );
    return { id: endpoint.id, secret: formatSecret(secret) };
  };
  const record = (subject: string | null, type: EventType = 'user.updated') =>
    database.transaction((tx) =>
      recordEvent(tx, { type, now: time.now, ...(subject === null ? {} : { subject }) }),
    );
  return { ...deps, deps, time, log, ...first, startNode, deliver, create, record };
}

/** Returns `subject sequence` of each received delivery. */
export function listReceived(requests: readonly ReceivedRequest[]): string[] {
  return requests.map(({ body }) => {
    const { data } = JSON.parse(body);
    return `${data.subject} ${data.sequence}`;
  });
}
