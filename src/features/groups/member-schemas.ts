/** Schemas of the members of groups. */
import { type JsonSchema, recordSchema } from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { text } from '../users/records/member-schemas.ts';

export const MAX_CHANGES = 1_000;

export const memberIdSchema = idParameters({ id: 'Id of a group.', user_id: 'Id of a user.' });

const userIds = { type: 'array', maxItems: MAX_CHANGES, items: { type: 'string', maxLength: 255 } } as const;

export const memberBatchSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    add: { ...userIds, description: 'Ids of users who become members.' },
    remove: { ...userIds, description: 'Ids of users who leave.' },
  },
} as const satisfies JsonSchema;

export const memberResultSchema = recordSchema({
  message: text,
  failed: { type: 'integer', minimum: 0, description: 'Number of users with an error.' },
  data: {
    type: 'array',
    description: 'The results in the order of `add`, then `remove`.',
    items: {
      type: 'object',
      required: ['user_id', 'status'],
      properties: {
        user_id: text,
        status: { type: 'integer', description: 'The status that the single request would have.' },
        error: text,
        code: { type: 'string', description: 'Code of the problem, as in error responses.' },
      },
    },
  },
});
