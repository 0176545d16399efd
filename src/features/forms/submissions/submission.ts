/** Submissions as the API describes and shows them. */
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import {
  dataSchema,
  type JsonSchema,
  recordSchema,
  type SchemaValue,
  timestamp,
  uuid,
} from '../../../lib/schema/json-schema.ts';
import { dateOrTimeParameter, toTime } from '../../../lib/schema/query-parameters.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { HELD_REASONS, type SubmissionFilter, type SubmissionRow } from './queries.ts';

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

const submission = recordSchema({
  ...received,
  held: { type: 'boolean', description: 'Whether it looks like spam and was not released.' },
  user_id: {
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The user with whose token it was sent; null for others.',
  },
  answers,
});

export const submissionSchema = {
  $id: 'Submission',
  ...submission,
  properties: {
    ...submission.properties,
    held_reason: {
      type: 'string',
      enum: HELD_REASONS,
      description:
        'Of a held submission: a control that people do not see was filled in, the page was sent within two seconds, or its network has sent too many in a minute.',
    },
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
    enum: ['exclude', 'include', 'only'],
    default: 'exclude',
    description: 'Submissions that look like spam.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

function receivedView({ id, received_at, version }: SubmissionRow) {
  return { id, received_at: formatTimestamp(received_at), version };
}

/** Says nothing of whether the submission is held: a sender of spam must not learn it. */
export function receivedResponse(row: SubmissionRow): CreatedResponse {
  return {
    status: 201,
    headers: {},
    body: { message: 'Submission received', data: receivedView(row) },
    createdResources: row.user_id === null ? {} : { userId: row.user_id },
  };
}

/** Returns whether the submission is held, and why, if it is and the reason is known. */
export function heldView({ held, held_reason }: SubmissionRow) {
  return held === 1 && held_reason !== null ? { held: true, held_reason } : { held: held === 1 };
}

export function submissionView(row: SubmissionRow) {
  return { ...receivedView(row), ...heldView(row), user_id: row.user_id, answers: JSON.parse(row.answers) };
}

export function submissionResponse(row: SubmissionRow) {
  return { message: `Submission ${row.id}`, data: submissionView(row) };
}

type Query = SchemaValue<{ type: 'object'; properties: typeof submissionFilters }>;

/** Returns the filter of a validated query. */
export function toSubmissionFilter(formId: string, query: Query): SubmissionFilter {
  const { from, to, version = null, held = 'exclude' } = query;
  return { formId, held, version, from: toTime(from), to: toTime(to) };
}
