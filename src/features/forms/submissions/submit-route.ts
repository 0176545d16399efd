/** The route that receives submissions as JSON. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { validateAllButBody } from '../../../plugins/validation.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { markInexactNumbers } from '../answers/numbers.ts';
import * as examples from '../form-examples.ts';
import { getPublishedForm } from '../form-rules.ts';
import { formIdSchema } from '../response-schemas.ts';
import { MAX_SUBMISSION_BYTES, prepareSubmission, type ReceiveDeps } from './receive-submission.ts';
import { receivedResponse } from './responses.ts';
import * as schemas from './schemas.ts';

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

export const newSubmissions: FeaturePlugin<ReceiveDeps> = async (app, deps) => {
  app.post('/api/v1/forms/:id/submissions', submitRoute, ({ params, body, caller, clientIp }, reply) =>
    reply.sendOnce(async () => {
      const answers = readAnswers(body);
      const form = await getPublishedForm(deps.database, params.id);
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
