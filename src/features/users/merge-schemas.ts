import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import { text } from './records/member-schemas.ts';

const TAKEN = ['identities', 'submissions', 'sessions', 'name', 'email', 'locale', 'level'] as const;

export const mergeSchema = {
  type: 'object',
  required: ['from'],
  additionalProperties: false,
  properties: {
    from: { ...text, description: 'Id of the user who is erased.' },
    take: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: TAKEN },
      default: ['identities', 'submissions'],
      description:
        'What the user takes over; everything else of the other one is erased. `sessions` are tokens and sign-in sessions, which a user with a role or a second factor cannot take over. A name, email (with its verification), locale or level replaces that of the user, if the other one has any.',
    },
    metadata: {
      type: 'string',
      enum: ['keep', 'take', 'combine'],
      default: 'keep',
      description:
        'Which `user_metadata` and `app_metadata` the user has afterwards: their own, those of the other one, or both, where their own members win.',
    },
  },
} as const satisfies JsonSchema;
