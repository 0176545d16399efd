/** Routes of stored submissions. */
import type { PageStart } from '../../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { defineList, describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { validateAllButBody } from '../../../plugins/validation.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { markInexactNumbers } from '../answers/values.ts';
import { getForm, type PublishedFormDeps, parseDefinition } from '../definitions/definition.ts';
import * as examples from '../form-examples.ts';
import { formIdSchema, submissionIdSchema } from '../form-responses.ts';
import type { FormRouteDeps } from '../form-routes.ts';
import { findVersion } from '../queries.ts';
import { changeSubmission, getSubmission } from './change-submissions.ts';
import { countAnswers, findNeighbors, findSubmissions } from './find-submissions.ts';
import type { SubmissionPosition } from './queries.ts';
import { MAX_SUBMISSION_BYTES, prepareSubmission, type ReceiveDeps } from './receive-submission.ts';
import * as schemas from './submission.ts';
import { receivedResponse, submissionResponse, submissionView, toSubmissionFilter } from './submission.ts';

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
    description:
      'Returns the submissions to a form, newest first, in pages. With `search` or `answer`, a page compares up to 2,000 submissions: it may have fewer than `limit`, even none, while `next_cursor` says that more follow.',
    params: formIdSchema,
    ...defineList(
      schemas.submissionFilters,
      { $ref: 'Submission' },
      { description: 'A page of submissions.', examples: { submissions: examples.submissionList } },
    ),
  },
  config: { ...READ, problems: ['form_not_found', 'invalid_filter'] },
} as const;

const getRoute = {
  schema: {
    operationId: 'getSubmission',
    tags,
    summary: 'Get a submission',
    description:
      'Returns a submission, also one that is held, and the ids of those beside it in the list with these filters.',
    params: submissionIdSchema,
    querystring: { type: 'object', properties: schemas.submissionFilters },
    response: {
      200: describeResponse(schemas.openedSchema, 'The submission.', { submission: examples.opened }),
    },
  },
  config: { ...READ, problems: [...CHANGE.problems, 'invalid_filter'] },
} as const;

const totalsRoute = {
  schema: {
    operationId: 'countAnswers',
    tags,
    summary: 'Count the answers to choices',
    description:
      'Returns how often each choice of `version`, by default of the published one, was chosen in the newest 10,000 submissions with the filters.',
    params: formIdSchema,
    querystring: { type: 'object', properties: schemas.submissionFilters },
    response: {
      200: describeResponse(schemas.totalsSchema, 'The totals.', { totals: examples.totals }),
    },
  },
  config: { ...READ, problems: ['form_not_found', 'invalid_filter'] },
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
      read: (start: PageStart<SubmissionPosition>) =>
        findSubmissions(database, filter, { order: 'newestFirst', ...start }),
    });
    return { message: 'Submissions list', data: rows.map(submissionView), next_cursor };
  });

  const path = '/api/v1/forms/:id/submissions/:submission_id';
  app.get(path, getRoute, async ({ params, query }) => {
    const row = await getSubmission(database, params);
    const neighbors = await findNeighbors(database, toSubmissionFilter(row.form_id, query), row);
    return { ...submissionResponse(row), ...neighbors };
  });
  app.get('/api/v1/forms/:id/submissions/totals', totalsRoute, async ({ params, query }) => {
    const { id, published_version, draft_version } = await getForm(database, params.id);
    const number = query.version ?? published_version ?? draft_version;
    const version = await findVersion(database, id, number);
    const fields = version === undefined ? [] : parseDefinition(version).fields;
    const data = await countAnswers(database, toSubmissionFilter(id, query), fields);
    return { message: `Totals of form ${id}`, data };
  });
  app.post(`${path}/release`, releaseRoute, async ({ params }) =>
    submissionResponse(await changeSubmission(deps, params, 'release')),
  );
  app.delete(path, deleteRoute, async ({ params }, reply) => {
    await changeSubmission(deps, params, 'delete');
    return reply.code(204).send();
  });
};

const submitRoute = {
  schema: {
    operationId: 'submitForm',
    tags: ['Forms'],
    summary: 'Submit a form',
    description:
      'Stores the answers to the published version. Nothing is coerced: the error response lists every rejected answer in the order of the fields. A field whose answer is absent, null or an empty text is not answered. More than ten anonymous submissions in a minute from one network are held for a review. At most 256 KiB.',
    params: formIdSchema,
    body: { ...schemas.newSubmissionSchema, examples: [examples.newSubmission] },
    response: {
      201: describeResponse(schemas.receivedSchema, 'The submission is stored.', {
        received: examples.accepted,
      }),
    },
  },
  bodyLimit: MAX_SUBMISSION_BYTES,
  validatorCompiler: validateAllButBody,
  config: {
    access: 'optional',
    scope: 'self:write',
    adminScope: 'any',
    limits: ['submission'],
    idempotent: true,
    reviver: markInexactNumbers,
    acceptsAnyName: true,
    problems: ['form_not_found', 'form_not_open', 'form_closed', 'form_full', 'already_submitted'],
  },
} as const;

export const newSubmissions: FeaturePlugin<ReceiveDeps & PublishedFormDeps> = async (app, deps) => {
  app.post('/api/v1/forms/:id/submissions', submitRoute, ({ params, body, caller, clientIp }, reply) =>
    reply.sendOnce(async () => {
      const answers = readAnswers(body);
      const form = await deps.getPublishedForm(params.id);
      const store = await prepareSubmission(deps, { form, answers, caller, clientIp });
      return { store: async (tx) => receivedResponse(await store(tx)) };
    }),
  );
};

/** Reads own members only: a label may be `__proto__`. @throws Problem invalid_payload, validation_failed */
function readAnswers(body: unknown): ReadonlyMap<string, unknown> {
  if (!isObject(body)) throw new Problem('invalid_payload');
  const { answers, ...others } = Object.fromEntries(Object.entries(body));
  if (Object.keys(others).length > 0)
    throw validationFailed({ answers: ['A submission has no other member than answers.'] });
  if (!isObject(answers)) throw validationFailed({ answers: ['The answers field must be an object.'] });
  return new Map(Object.entries(answers));
}

/** Whether it is an object of JSON; an inexact number is none. */
function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
}
