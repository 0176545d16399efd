/** Requests that validate form fields. */
import { invalidFields, invalidPayload } from './bodies.ts';
import type { Case } from './case.ts';
import { formFieldCases } from './form-field-rules.ts';

const request = 'POST /api/v1/form-fields/validate';

const rules = formFieldCases.map(
  ({ title, fields, errors }): Case => ({
    behaviour: title,
    request,
    body: { fields },
    ...(errors.length === 0
      ? { status: 200, responseBody: { errors: [] } }
      : { status: 400, responseBody: invalidFields(...errors) }),
  }),
);

const malformed = (what: string, raw: string): Case => ({
  behaviour: `rejects ${what}`,
  request,
  raw,
  status: 400,
  responseBody: { ...invalidPayload, errors: ['Invalid request payload'] },
});

export const formFields: readonly Case[] = [
  ...rules,
  malformed('a body that is not JSON', '{"fields":'),
  malformed('an empty body', ''),
  malformed('a body that is a list', '[]'),
  malformed('a body that is a string', '"fields"'),
  malformed('a body that is null', 'null'),
  malformed('a duplicate member', '{"fields":[],"fields":[]}'),
  malformed('a member named __proto__', '{"fields":[],"__proto__":{}}'),
];
