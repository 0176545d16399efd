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
import { dateOrTimeParameter, searchText, toTime } from '../../../lib/schema/query-parameters.ts';
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

const neighbor = { type: ['string', 'null'], format: 'uuid' } as const;

export const openedSchema = recordSchema({
  ...submissionResponseSchema.properties,
  newer_id: { ...neighbor, description: 'Id of the next newer submission with the filters; null: none.' },
  older_id: { ...neighbor, description: 'Id of the next older submission with the filters; null: none.' },
});

const count = { type: 'integer', minimum: 0 } as const;

export const totalsSchema = dataSchema(
  recordSchema({
    counted: { ...count, description: 'Number of submissions with the filters.' },
    is_complete: { type: 'boolean', description: 'False if only the newest 10,000 were looked at.' },
    fields: {
      type: 'array',
      description: 'The fields with choices and check boxes, in the order of the version.',
      items: recordSchema({
        label: { type: 'string' },
        answered: { ...count, description: 'Submissions with an answer to the field.' },
        options: { type: 'array', items: recordSchema({ value: { type: 'string' }, count }) },
        other: { ...count, description: 'Answers that are no choice of this version.' },
      }),
    },
  }),
);

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
  search: {
    ...searchText,
    description:
      'Submissions with this text in an answer, ignoring case and accents, or with an id that begins with it.',
  },
  answer: {
    type: 'string',
    maxLength: 2_000,
    pattern: String.raw`^[^\x00]+:[^\x00]+$`,
    'x-message': 'must be a label and its answer, such as course:Sailing',
    description:
      'Submissions with exactly this answer, also among several choices, such as `course:Sailing`.',
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
  const { from, to, version = null, held = 'exclude', search = null, answer = null } = query;
  return { formId, held, version, from: toTime(from), to: toTime(to), search, answer };
}
