import { type Route, route } from '../../http/route.ts';
import { Problem } from '../../problems/problem.ts';
import { checkFormFields } from './rules.ts';
import { noErrorsSchema, submissionSchema } from './schemas.ts';

const MAX_SUBMISSION_BYTES = 1_048_576;

export function formFieldRoutes(): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/form-fields/validate',
      operationId: 'validateFormFields',
      tag: 'Forms',
      summary: 'Validate form-field definitions',
      description:
        'Stores nothing. The error response lists one message per invalid member, at most 10,000; as `application/problem+json` each message has a JSON pointer to its member.',
      access: 'optional',
      body: submissionSchema,
      checkBody: checkSubmission,
      invalidPayload: invalidSubmission,
      maxBodyBytes: MAX_SUBMISSION_BYTES,
      repeatedMembers: Object.keys(submissionSchema.properties.fields.items.properties),
      bodyExample: { fields: [{ label: 'first_name', type: 'text', is_required: true }] },
      responses: {
        200: {
          description: 'All definitions are valid.',
          schema: noErrorsSchema,
          examples: { valid: { errors: [] } },
        },
      },
      handle: async () => ({ status: 200, body: { errors: [] } }),
    }),
  ];
}

/** @throws Problem invalid_payload if the body is not an object, validation_failed with all failures */
function checkSubmission(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidSubmission();
  const details = checkFormFields((body as { fields?: unknown }).fields);
  if (details.length === 0) return body;
  const errors = details.map(({ detail }) => detail);
  throw new Problem('validation_failed', { text: 'Invalid form fields', errors, details });
}

function invalidSubmission(reason?: unknown): Problem {
  return new Problem('invalid_payload', { errors: ['Invalid request payload'], cause: reason });
}
