/** Responses with submissions. */
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/query-parameters.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import type { SubmissionFilter, SubmissionRow } from './queries.ts';
import type { submissionFilters } from './schemas.ts';

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

export function submissionView(row: SubmissionRow) {
  const { held, user_id, answers } = row;
  return { ...receivedView(row), held: held === 1, user_id, answers: JSON.parse(answers) };
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
