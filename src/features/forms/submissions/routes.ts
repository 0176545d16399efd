/** Routes of stored submissions. */

import { type PageStart, toPage } from '../../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { defineList } from '../../../plugins/openapi/define-list.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import * as examples from '../form-examples.ts';
import type { FormRouteDeps } from '../form-routes.ts';
import { getForm } from '../form-rules.ts';
import { formIdSchema, submissionIdSchema } from '../response-schemas.ts';
import { changeSubmission, getSubmission } from './change-submissions.ts';
import { readSubmissions, type SubmissionPosition } from './queries.ts';
import { submissionResponse, submissionView, toSubmissionFilter } from './responses.ts';
import * as schemas from './schemas.ts';

const tags = ['Forms'];
const READ = { access: 'admin', scope: 'submissions:read' } as const;
const CHANGE = {
  access: 'admin',
  scope: 'forms:write',
  problems: ['form_not_found', 'submission_not_found'],
} as const;
const response = {
  200: describeResponse(schemas.submissionResponseSchema, 'The submission.', {
    submission: examples.submission,
  }),
};

const listRoute = {
  schema: {
    operationId: 'listSubmissions',
    tags,
    summary: 'List submissions',
    description: 'Returns the submissions to a form, newest first, in pages.',
    params: formIdSchema,
    ...defineList(
      schemas.submissionFilters,
      { $ref: 'Submission' },
      { description: 'A page of submissions.', examples: { submissions: examples.submissionList } },
    ),
  },
  config: { ...READ, problems: ['form_not_found', 'invalid_filter', 'invalid_limit', 'invalid_cursor'] },
} as const;

const getRoute = {
  schema: {
    operationId: 'getSubmission',
    tags,
    summary: 'Get a submission',
    description: 'Returns a submission, also one that is held.',
    params: submissionIdSchema,
    response,
  },
  config: { ...READ, problems: CHANGE.problems },
} as const;

const releaseRoute = {
  schema: {
    operationId: 'releaseSubmission',
    tags,
    summary: 'Release a held submission',
    description:
      'Accepts a submission that looked like spam, also beyond the maximum of the form. One that is not held stays as it is.',
    params: submissionIdSchema,
    response,
  },
  config: CHANGE,
} as const;

const deleteRoute = {
  schema: {
    operationId: 'deleteSubmission',
    tags,
    summary: 'Delete a submission',
    description: 'Deletes a submission, also one that is held.',
    params: submissionIdSchema,
    response: { 204: describeEmpty({ description: 'Deleted.' }) },
  },
  config: { ...CHANGE, recentSignIn: 'always' },
} as const;

export const submissions: FeaturePlugin<FormRouteDeps> = async (app, deps) => {
  const { database, pagination } = deps;
  app.get('/api/v1/forms/:id/submissions', listRoute, async ({ params, query }, reply) => {
    const { id } = await getForm(database, params.id);
    const filter = toSubmissionFilter(id, query);
    const { rows, next_cursor } = await pagination.readPage(reply, {
      query,
      path: `/api/v1/forms/${id}/submissions`,
      scope: `submissions:${JSON.stringify(filter)}`,
      read: async ({ after, limit }: PageStart<SubmissionPosition>) => {
        const page = { order: 'newestFirst', after, limit: limit + 1 } as const;
        const found = await readSubmissions(database, filter, page);
        return toPage(found, limit, ({ received_at, id }) => [received_at, id] as const);
      },
    });
    return { message: 'Submissions list', data: rows.map(submissionView), next_cursor };
  });

  const path = '/api/v1/forms/:id/submissions/:submission_id';
  app.get(path, getRoute, async ({ params }) => submissionResponse(await getSubmission(database, params)));
  app.post(`${path}/release`, releaseRoute, async ({ params }) =>
    submissionResponse(await changeSubmission(deps, params, 'release')),
  );
  app.delete(path, deleteRoute, async ({ params }, reply) => {
    await changeSubmission(deps, params, 'delete');
    return reply.code(204).send();
  });
};
