import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { toValidator } from '../../plugins/validation.ts';
import { Problem } from '../../problems/problem.ts';
import type { PublishedFormDeps } from './definitions/definition.ts';
import { submissionExport } from './export/routes.ts';
import { type FormRouteDeps, forms } from './form-routes.ts';
import { checkFormFields, noErrorsSchema, submissionSchema } from './rules.ts';
import type { ReceiveDeps } from './submissions/receive-submission.ts';
import { newSubmissions, submissions } from './submissions/routes.ts';
import { formStates, formVersions } from './version-routes.ts';

const MAX_SUBMISSION_BYTES = 1_048_576;

const validateFormFieldsRoute = {
  schema: {
    operationId: 'validateFormFields',
    tags: ['Forms'],
    summary: 'Validate form-field definitions',
    description:
      'Stores nothing. The error response lists one message per invalid member, at most 10,000; as `application/problem+json` each message has a JSON pointer to its member.',
    body: {
      ...submissionSchema,
      examples: [{ fields: [{ label: 'first_name', type: 'text', is_required: true }] }],
    },
    response: {
      200: describeResponse(noErrorsSchema, 'All definitions are valid.', { valid: { errors: [] } }),
    },
  },
  config: {
    access: 'optional',
    adminScope: 'any',
    isRecorded: false,
    // Changes nothing.
    credentialLimits: ['credential-read'],
    repeatedMembers: Object.keys(submissionSchema.properties.fields.items.properties),
  },
  bodyLimit: MAX_SUBMISSION_BYTES,
  // The specified messages, in place of those of the schema.
  validatorCompiler: () => toValidator(checkSubmission),
  errorHandler: listInvalidPayload,
} as const;

/** Validation of form definitions. */
export const formFields: FeaturePlugin<object> = async (app) => {
  app.post('/api/v1/form-fields/validate', validateFormFieldsRoute, (_request, reply) =>
    reply.send({ errors: [] }),
  );
};

/** @throws Problem invalid_payload if the body is not an object, validation_failed with all failures */
function checkSubmission(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('invalid_payload');
  const details = checkFormFields((body as { fields?: unknown }).fields);
  if (details.length === 0) return body;
  const errors = details.map(({ detail }) => detail);
  throw new Problem('validation_failed', { text: 'Invalid form fields', errors, details });
}

/** Passes errors on, those of an invalid payload with the specified list. */
function listInvalidPayload(error: FastifyError | Error, _request: FastifyRequest, _reply: FastifyReply) {
  if (!(error instanceof Problem) || error.code !== 'invalid_payload') throw error;
  throw new Problem('invalid_payload', { errors: ['Invalid request payload'], cause: error.cause });
}

export const storedForms: FeaturePlugin<FormRouteDeps & ReceiveDeps & PublishedFormDeps> = async (
  app,
  deps,
) => {
  await app.register(forms, deps);
  await app.register(formStates, deps);
  await app.register(formVersions, deps);
  await app.register(newSubmissions, deps);
  await app.register(submissions, deps);
  await app.register(submissionExport, deps);
};
