import {
  dataSchema,
  type JsonSchema,
  recordSchema,
  timestamp,
  uuid,
} from '../../../lib/schema/json-schema.ts';
import { dateOrTimeParameter } from '../../../lib/schema/query-parameters.ts';

const answers = {
  type: 'object',
  additionalProperties: true,
  description: 'Values by the labels of the fields.',
} as const satisfies JsonSchema;

export const newSubmissionSchema = { ...recordSchema({ answers }), additionalProperties: false } as const;

const received = {
  id: uuid,
  received_at: timestamp,
  version: { type: 'integer', minimum: 1, description: 'Number of the version that it answers.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const receivedSchema = dataSchema(recordSchema(received));

export const submissionSchema = {
  $id: 'Submission',
  ...recordSchema({
    ...received,
    held: { type: 'boolean', description: 'Whether it looks like spam and was not released.' },
    user_id: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The user with whose token it was sent; null for others.',
    },
    answers,
  }),
} as const satisfies JsonSchema;

export const submissionResponseSchema = dataSchema({ $ref: 'Submission' });

export const submissionFilters = {
  from: dateOrTimeParameter('Submissions received at this time or later.'),
  to: dateOrTimeParameter('Submissions received before this time.'),
  version: {
    type: 'integer',
    minimum: 1,
    'x-message': 'must be a positive integer',
    description: 'Submissions that answer this version.',
  },
  held: {
    type: 'string',
    enum: ['exclude', 'include', 'only'],
    default: 'exclude',
    description: 'Submissions that look like spam.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;
