/** Example of the OpenAPI description. A test validates it against the schema. */

import { user } from '../../users/records/examples.ts';
import { tokenList } from '../tokens/examples.ts';
import { USER_TABLES } from './user-tables.ts';

const { current: _, ...token } = tokenList.data[0]!;
const day = '2026-01-06';

export const accountExport = {
  ...Object.fromEntries(USER_TABLES.map(({ exported }) => [exported.member, []])),
  exported_at: `${day}T18:00:00.000Z`,
  user: { ...user, last_login_at: user.created_at, has_password: true },
  tokens: [{ ...token, application_id: null }],
  events: [
    {
      id: '01938c5e-7a01-7c1d-8e2f-3a5b7c9d0e1f',
      type: 'user.created',
      time: user.created_at,
      subject: `user:${user.id}`,
      sequence: 1,
      actor: { type: 'user', id: user.id, name: null },
      outcome: 'success',
      reason: null,
      changes: [],
      details: null,
      address: '203.0.113.0/24',
      device: 'Firefox on Windows',
      occurrences: 1,
    },
  ],
  known_networks: [{ first_login_at: user.created_at, last_login_at: user.created_at }],
  active_days: [day],
  pending_messages: [
    {
      kind: 'verify_email',
      email: user.email,
      new_email: null,
      created_at: user.created_at,
      expires_at: '2026-01-08T09:30:00.000Z',
    },
  ],
  messages: [
    {
      kind: 'new_network',
      email: user.email,
      state: 'sent',
      created_at: user.created_at,
      ended_at: '2026-01-05T09:30:01.000Z',
    },
  ],
  stored_responses: [{ route: 'POST /api/register', expires_at: '2026-01-06T09:30:00.000Z' }],
};
