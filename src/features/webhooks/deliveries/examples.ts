/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId as id } from '../../users/records/schemas.ts';

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

export const list = { message: 'Deliveries list', data: [delivery], next_cursor: null };
export const retried = { message: `Delivery ${id}`, data: delivery };
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
export const detail = { message: `Delivery ${id}`, data: { ...delivery, body, exchanges } };
export const test = { message: 'Test requested', data: { delivery_id: id } };
export const replay = { since: '2026-01-05T00:00:00Z' };
export const replayed = { message: 'Replay requested', data: { events: 250 } };
