/** Events and deliveries for pictures of the console: what invented people did in an hour. */
import assert from 'node:assert/strict';
import { sql, type Tx } from '../../../src/database/database.ts';
import {
  finishDelivery,
  insertAttempt,
  insertDeliveries,
} from '../../../src/features/webhooks/deliveries/queries.ts';
import { newId } from '../../../src/lib/secrets/ids.ts';
import { MINUTE } from '../../../src/lib/time.ts';
import { numberAllEvents } from '../events.ts';
import { admin, editor, type TestService } from '../service.ts';

const SECOND = 1_000;
const PASSWORD = 'correct horse battery';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** The clock of the service. */
export interface PictureClock {
  now: number;
}

/** Lets users log in, fail to, and change their accounts during the hour before the present time of the clock. */
export async function causeEvents(
  { api }: TestService,
  userIds: readonly string[],
  clock: PictureClock,
): Promise<void> {
  const end = clock.now;
  for (const [index, id] of userIds.entries()) {
    const headers = { 'user-agent': BROWSER, 'x-forwarded-for': `203.0.${113 + index}.7` };
    const at = (minutes: number) => {
      clock.now = end - minutes * MINUTE - index * 37 * SECOND;
    };
    at(60 - index * 14);
    await api.put(`/api/v1/users/${id}/password`, { password: PASSWORD }, admin);
    const { email } = (await api.get(`/api/v1/users/${id}`, admin)).body.data;
    at(57 - index * 14);
    for (const password of ['a wrong password', PASSWORD]) {
      await api.post('/api/login', { email, password }, { headers });
      at(56 - index * 14);
    }
    const { body: session } = await api.post('/api/login', { email, password: PASSWORD }, { headers });
    at(52 - index * 14);
    const { status } = await api.post(
      '/api/v1/tokens',
      { name: 'Backup script' },
      { token: session.access_token, headers },
    );
    assert.equal(status, 201);
    at(50 - index * 14);
    await api.patch(`/api/v1/users/${id}`, { level: 'gold' }, editor);
  }
  clock.now = end;
}

const SHOW_ENABLED = sql(
  'update webhook_endpoints set enabled = 1, disabled_reason = null, next_number = $2 where id = $1',
);
const AFTER_ALL_EVENTS = 1_000_000_000;

/** Creates a webhook with deliveries of the latest events, one after a failure. Returns its id. Nothing is sent. */
export async function createDeliveries(service: TestService, now: number): Promise<string> {
  const { database } = service;
  await numberAllEvents(database);
  const { body: list } = await service.api.get('/api/v1/events?type=user.updated', admin);
  const settings = { url: 'https://crm.example.com/frontdesk', description: 'CRM', enabled: false };
  const { body } = await service.api.post('/api/v1/webhooks', settings, admin);
  const { id } = body.data;
  await database.transaction(async (tx) => {
    // The latest event last: the list of deliveries is ordered by their ids.
    for (const event of list.data.toReversed()) {
      const hasFailed = event === list.data[0];
      await insertDelivery(tx, event, { endpointId: id, hasFailed, now: Date.parse(event.time) });
    }
    await tx.run(SHOW_ENABLED, id, AFTER_ALL_EVENTS);
  });
  const more = { url: 'https://mail.example.org/hooks/users', types: ['user.created'], enabled: false };
  await service.api.post('/api/v1/webhooks', { ...more, description: 'Newsletter' }, admin);
  assert.ok(list.data.length > 1 && Date.parse(list.data[0].time) < now);
  return id;
}

interface PictureDelivery {
  readonly endpointId: string;
  readonly hasFailed: boolean;
  readonly now: number;
}

interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
}

const SENT = {
  url: 'https://crm.example.com/frontdesk',
  signature: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  user_agent: 'Frontdesk',
};

async function insertDelivery(
  tx: Tx,
  event: ListedEvent,
  { endpointId, hasFailed, now }: PictureDelivery,
): Promise<void> {
  const delivery_id = newId();
  const { id: event_id, type, subject, sequence } = event;
  const named = { id: delivery_id, endpoint_id: endpointId, event_id, event_number: 1 };
  const times = { occurred_at: now, created_at: now + 180 };
  await insertDeliveries(tx, [{ ...named, ...times, type, subject, sequence, digest: null }]);
  const success = {
    delivery_id,
    duration_ms: 84,
    status: 204,
    error: null,
    line: null,
    request: JSON.stringify(SENT),
    response: JSON.stringify({ headers: {}, body: null, is_cut: false }),
  };
  if (!hasFailed) await insertAttempt(tx, { ...success, attempt: 1, at: now + 190 });
  else {
    const failure = { ...success, duration_ms: 41, status: 503, line: 'The database is being upgraded' };
    const headers = { 'content-type': 'text/plain', 'retry-after': '300' };
    const response = JSON.stringify({ headers, body: failure.line, is_cut: false });
    await insertAttempt(tx, { ...failure, response, attempt: 1, at: now + 190 });
    const timeout = { ...success, duration_ms: 15_000, status: null, error: 'timeout', response: null };
    await insertAttempt(tx, { ...timeout, attempt: 2, at: now + 5 * SECOND });
    await insertAttempt(tx, { ...success, attempt: 3, at: now + 5 * MINUTE });
  }
  await finishDelivery(tx, { id: delivery_id, state: 'delivered', now: now + 5 * MINUTE });
}
