import { extendSchema, type JsonSchema } from '../../../lib/schema/json-schema.ts';
import { user as exampleUser } from '../../users/records/examples.ts';
import { nullableText, timestamp } from '../../users/records/member-schemas.ts';
import { userSchema } from '../../users/records/schemas.ts';
import { tokenList } from '../tokens/examples.ts';
import { storedTokenSchema } from '../tokens/schemas.ts';
import { USER_TABLES } from './user-tables.ts';

const user = extendSchema(userSchema, {
  has_password: { type: 'boolean', description: 'Its hash is not exported.' },
});

const token = extendSchema(storedTokenSchema, {
  application_id: { ...nullableText, description: 'The application that it was issued to, if it was one.' },
});

/** The lists of rows from the registry of tables. */
const exportedRowSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  USER_TABLES.map(({ exported: { member, description, columns, data } }) => {
    const properties = { ...columns, ...data };
    const items = { type: 'object', required: Object.keys(properties), properties } as const;
    return [member, { type: 'array', items, description } as const];
  }),
);

/** Everything that is stored about a user. */
export const accountExportSchema = {
  type: 'object',
  required: ['exported_at', 'user', 'tokens', 'events', 'active_days', ...Object.keys(exportedRowSchemas)],
  properties: {
    exported_at: timestamp,
    user,
    tokens: {
      type: 'array',
      items: token,
      description: 'Newest first; only hashes of them are stored.',
    },
    events: { type: 'array', items: { $ref: 'OwnEvent' }, description: 'The last 1,000, newest first.' },
    active_days: {
      type: 'array',
      items: { type: 'string', format: 'date' },
      description: 'Days in UTC on which a token was used, within 90 days.',
    },
    ...exportedRowSchemas,
  },
} as const satisfies JsonSchema;

const { current: _, ...exampleToken } = tokenList.data[0]!;
const day = '2026-01-06';

export const accountExport = {
  ...Object.fromEntries(USER_TABLES.map(({ exported }) => [exported.member, []])),
  exported_at: `${day}T18:00:00.000Z`,
  user: { ...exampleUser, last_login_at: exampleUser.created_at, has_password: true },
  tokens: [{ ...exampleToken, application_id: null }],
  events: [
    {
      id: '01938c5e-7a01-7c1d-8e2f-3a5b7c9d0e1f',
      type: 'user.created',
      time: exampleUser.created_at,
      subject: `user:${exampleUser.id}`,
      sequence: 1,
      actor: { type: 'user', id: exampleUser.id, name: null },
      outcome: 'success',
      reason: null,
      changes: [],
      details: null,
      address: '203.0.113.0/24',
      device: 'Firefox on Windows',
      occurrences: 1,
    },
  ],
  known_networks: [{ first_login_at: exampleUser.created_at, last_login_at: exampleUser.created_at }],
  active_days: [day],
  pending_messages: [
    {
      kind: 'verify_email',
      email: exampleUser.email,
      new_email: null,
      created_at: exampleUser.created_at,
      expires_at: '2026-01-08T09:30:00.000Z',
    },
  ],
  messages: [
    {
      kind: 'new_network',
      email: exampleUser.email,
      state: 'sent',
      created_at: exampleUser.created_at,
      ended_at: '2026-01-05T09:30:01.000Z',
    },
  ],
  stored_responses: [{ route: 'POST /api/register', expires_at: '2026-01-06T09:30:00.000Z' }],
};
