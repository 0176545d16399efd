import { extendSchema, type JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableText, timestamp } from '../../users/records/member-schemas.ts';
import { userSchema } from '../../users/records/schemas.ts';
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
