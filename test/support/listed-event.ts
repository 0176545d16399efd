/** An event as the API lists it. */
import type { AuditEvent } from '../../web/common/api-types.ts';

export const createListedEvent = (members: Partial<AuditEvent>): AuditEvent => ({
  id: 'e1',
  type: 'password.changed',
  time: '2026-01-05T09:30:00.000Z',
  subject: 'user:a',
  sequence: 1,
  actor: { type: 'user', id: 'a', name: null, kind: null },
  outcome: 'success',
  reason: null,
  changes: [],
  details: {},
  address: null,
  device: null,
  occurrences: 1,
  first_at: null,
  last_at: null,
  request_id: null,
  user: null,
  ...members,
});
