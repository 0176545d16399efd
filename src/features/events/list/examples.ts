/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const userId = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';
const id = '01938c5e-7b10-7c1f-8a2b-3c4d5e6f7a8b';
const time = '2026-01-05T09:30:00.000Z';
const next_cursor = 'q83vEjRWeJCrze8SNDI';

const thinEvent = { id, type: 'user.updated', time, subject: `user:${userId}`, sequence: 3 };

const own = {
  ...thinEvent,
  actor: { type: 'administrator', id: null, name: null },
  outcome: 'success',
  reason: null,
  changes: [{ name: 'level', from: null, to: 'gold' }],
  details: null,
  address: '203.0.113.0/24',
  device: 'Firefox on Linux',
  occurrences: 1,
};

export const ownEvents = { message: 'Events', data: [own], next_cursor };

const event = {
  ...own,
  actor: { ...own.actor, id: '01938c5e-7a11-7d4e-8b6c-9a0b1c2d3e4f', name: 'operations', kind: 'credential' },
  first_at: null,
  last_at: null,
  request_id: 'c2de509e-30bd-454b-972f-b99bdde3bb87',
  user: { id: userId, email: 'ada@example.com', name: 'Ada Lovelace' },
};

export const events = { message: 'Events', data: [{ ...event, folded: null }], next_cursor };

export const cloudEvents = [
  {
    specversion: '1.0',
    id,
    source: 'https://accounts.example.com',
    type: 'user.updated',
    time,
    subject: `user:${userId}`,
    subjectsequence: 3,
    sequence: '0000000000000042',
  },
];
