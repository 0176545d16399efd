import { dataSchema } from '../../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { timestamp, uuid } from '../../../lib/schema/members.ts';
import { dateOrTimeParameter } from '../../../lib/schema/parameters.ts';
import { HELD_CHOICES } from './queries.ts';

const answers = {
  type: 'object',
  additionalProperties: true,
  description: 'Values by the labels of the fields.',
} as const satisfies JsonSchema;

export const newSubmissionSchema = {
  type: 'object',
  required: ['answers'],
  additionalProperties: false,
  properties: { answers },
} as const satisfies JsonSchema;

const received = {
  id: uuid,
  received_at: timestamp,
  version: { type: 'integer', minimum: 1, description: 'Number of the version that it answers.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const receivedSchema = dataSchema({
  type: 'object',
  required: ['id', 'received_at', 'version'],
  properties: received,
} as const);

export const submissionSchema = {
  $id: 'Submission',
  type: 'object',
  required: ['id', 'received_at', 'version', 'held', 'user_id', 'answers'],
  properties: {
    ...received,
    held: { type: 'boolean', description: 'Whether it looks like spam and was not released.' },
    user_id: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The user with whose token it was sent; null for others.',
    },
    answers,
  },
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
    enum: HELD_CHOICES,
    default: 'exclude',
    description: 'Submissions that look like spam.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const flag = { type: 'string', enum: ['0', '1'], default: '0' } as const;

export const exportQuerySchema = {
  type: 'object',
  properties: {
    ...submissionFilters,
    format: {
      type: 'string',
      enum: ['ndjson', 'csv'],
      description: 'Replaces the header `Accept`.',
    },
    raw: {
      ...flag,
      description:
        'With 1, texts of CSV files that a spreadsheet would execute as a formula stay as they are.',
    },
    bom: { ...flag, description: 'With 1, CSV files begin with a byte order mark, for Excel.' },
  },
} as const satisfies JsonSchema;
