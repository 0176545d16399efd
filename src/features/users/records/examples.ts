/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId as id } from './schemas.ts';

export const user = {
  id,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  level: null,
  role: null,
  locale: 'en-GB',
  zoneinfo: null,
  state: 'active',
  email_verified_at: null,
  last_login_at: null,
  totp_enabled_at: null,
  created_at: '2026-01-05T09:30:00.000Z',
  updated_at: '2026-01-05T09:30:00.000Z',
  version: 1,
  user_metadata: {},
  app_metadata: {},
};

export const userLists = {
  anonymous: { message: 'Users list' },
  user: { message: 'Users list', data: [user] },
  administrator: {
    message: 'Users list',
    data: [user],
    next_cursor: 'q83vEjRWeJCrze8SMDE5MzhjNWUtN2EwMC03YjNjLTlkMWUtMmY0YTZiOGMwZDJl',
  },
};

export const createdUsers = {
  anonymous: { message: 'User created', data: { id } },
  administrator: { message: 'User created', data: user },
};

export const userResponses = {
  anonymous: { message: `User ${id}` },
  administrator: { message: `User ${id}`, data: user },
};
