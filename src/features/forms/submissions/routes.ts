/** Routes of stored submissions. */
import type { Database } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { type Page, type PageStart, toPage } from '../../../lib/routes/pagination.ts';
import { defineList } from '../../../plugins/openapi/define-list.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import * as examples from '../form-examples.ts';
import { parseFormId } from '../form-rules.ts';
import { getForm } from '../get-form.ts';
import type { FormRouteDeps } from '../list-route.ts';
import { formIdSchema, submissionIdSchema } from '../response-schemas.ts';
import {
  deleteSubmission,
  parseSubmissionId,
  releaseSubmission,
  requireSubmission,
} from './change-submissions.ts';
import {
  findSubmission,
  readSubmissions,
  type SubmissionFilter,
  type SubmissionPosition,
  type SubmissionRow,
} from './queries.ts';
import { submissionView, toSubmissionFilter } from './responses.ts';
import * as schemas from './schemas.ts';

const tags = ['Forms'];
const listOperation = {
  operationId: 'listSubmissions',
  tags,
  summary: 'List submissions',
  description: 'Returns the submissions to a form, newest first, in pages.',
  params: formIdSchema,
  ...defineList(
    schemas.submissionFilters,
    { $ref: 'Submission' },
    {
      description: 'A page of submissions.',
      examples: { submissions: examples.submissions },
    },
  ),
} as const;

const getOperation = {
  operationId: 'getSubmission',
  tags,
  summary: 'Get a submission',
  description: 'Returns a submission, also one that is held.',
  params: submissionIdSchema,
  response: {
    200: describeResponse(schemas.submissionResponseSchema, {
      description: 'The submission.',
      examples: { submission: examples.submission },
    }),
  },
} as const;

const releaseOperation = {
  operationId: 'releaseSubmission',
  tags,
  summary: 'Release a held submission',
  description:
    'Accepts a submission that looked like spam, also beyond the maximum of the form. One that is not held stays as it is.',
  params: submissionIdSchema,
  response: getOperation.response,
} as const;

const deleteOperation = {
  operationId: 'deleteSubmission',
  tags,
  summary: 'Delete a submission',
  description: 'Deletes a submission, also one that is held.',
  params: submissionIdSchema,
  response: { 204: describeEmpty({ description: 'Deleted.' }) },
} as const;

export const submissions: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  await app.register(storedSubmissions, deps);
  await app.register(submissionChanges, deps);
};

const READ = { access: 'admin', scope: 'submissions:read' } as const;

const storedSubmissions: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  const { database, pagination } = deps;
  app.get(
    '/api/v1/forms/:id/submissions',
    {
      schema: listOperation,
      config: { ...READ, problems: ['form_not_found', 'invalid_filter', 'invalid_limit', 'invalid_cursor'] },
    },
    async ({ params, query }, reply) => {
      const { id } = await getForm(database, params.id);
      const filter = toSubmissionFilter(id, query);
      const { rows, next_cursor } = await pagination.readPage(reply, {
        query,
        path: `/api/v1/forms/${id}/submissions`,
        scope: `submissions:${JSON.stringify(filter)}`,
        read: (start: PageStart<SubmissionPosition>) => listSubmissions(database, filter, start),
      });
      return { message: 'Submissions list', data: rows.map(submissionView), next_cursor };
    },
  );

  app.get(
    '/api/v1/forms/:id/submissions/:submission_id',
    { schema: getOperation, config: { ...READ, problems: ['form_not_found', 'submission_not_found'] } },
    async ({ params }) => {
      const { id } = await getForm(database, params.id);
      const row = await findSubmission(database, id, parseSubmissionId(params.submission_id));
      const data = submissionView(requireSubmission(row));
      return { message: `Submission ${data.id}`, data };
    },
  );
};

async function listSubmissions(
  database: Database,
  filter: SubmissionFilter,
  { after, limit }: PageStart<SubmissionPosition>,
): Promise<Page<SubmissionRow, SubmissionPosition>> {
  const page = { order: 'newestFirst', after, limit: limit + 1 } as const;
  const found = await readSubmissions(database, filter, page);
  return toPage(found, limit, ({ received_at, id }) => [received_at, id] as const);
}

const CHANGE = {
  access: 'admin',
  scope: 'forms:write',
  problems: ['form_not_found', 'submission_not_found'],
} as const;

const submissionChanges: FeaturePlugin<FormRouteDeps> = async (app, { database, clock }) => {
  const toChange = (params: { id: string; submission_id: string }) => ({
    formId: parseFormId(params.id),
    id: params.submission_id,
    now: clock(),
  });
  app.post(
    '/api/v1/forms/:id/submissions/:submission_id/release',
    { schema: releaseOperation, config: CHANGE },
    async ({ params }) => {
      const row = await database.transaction((tx) => releaseSubmission(tx, toChange(params)));
      return { message: `Submission ${row.id}`, data: submissionView(row) };
    },
  );

  app.delete(
    '/api/v1/forms/:id/submissions/:submission_id',
    { schema: deleteOperation, config: CHANGE },
    async ({ params }, reply) => {
      await database.transaction((tx) => deleteSubmission(tx, toChange(params)));
      return reply.code(204).send();
    },
  );
};
