/** Schemas of forms in responses, and of the parameters of their paths. */
import { dataSchema } from '../../lib/schema/data-schema.ts';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import { nullableText, nullableTimestamp, text, timestamp, uuid } from '../../lib/schema/members.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { fields, settings } from './form-schemas.ts';

export const MAX_COUNTED = 10_000;

const shown = {
  id: uuid,
  title: text,
  description: nullableText,
  fields: {
    ...fields,
    description: 'Of the draft; for others than administrators, of the published version.',
  },
  state: { type: 'string', enum: ['draft', 'published', 'closed'] },
  published_version: { type: ['integer', 'null'], description: 'Number of the version that is answered.' },
  ...settings,
} as const;

const administrated = {
  draft_version: { type: 'integer', minimum: 1 },
  created_at: timestamp,
  updated_at: timestamp,
  revision: { type: 'integer', minimum: 1, description: 'The number in the ETag.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const submissions = {
  type: 'object',
  required: ['accepted', 'held'],
  properties: { accepted: { type: 'integer' }, held: { type: 'integer' } },
  description: `Numbers of submissions; counted up to ${MAX_COUNTED.toLocaleString('en')} each.`,
} as const satisfies JsonSchema;

const PUBLIC_MEMBERS = [
  ...(['id', 'title', 'description', 'fields', 'state', 'published_version'] as const),
  ...(['access', 'once', 'opens_at', 'closes_at', 'thanks'] as const),
] as const;

export const formSchema = {
  $id: 'Form',
  type: 'object',
  required: PUBLIC_MEMBERS,
  properties: { ...shown, ...administrated, submissions },
  description: 'Callers without the scope `forms:read` get the members that are required.',
} as const satisfies JsonSchema;

const { fields: _, description: __, ...listed } = shown;

export const listedFormSchema = {
  type: 'object',
  required: [...Object.keys(listed), ...Object.keys(administrated)],
  properties: { ...listed, ...administrated },
} as const satisfies JsonSchema;

/** Returns the description of a response with a form. */
export function describeForm(
  described: string,
  example: object,
  further: Readonly<Record<string, string>> = {},
) {
  return describeResponse(dataSchema({ $ref: 'Form' }), {
    description: described,
    headers: { ETag: 'Revision of the form.', ...further },
    examples: { form: example },
  });
}

/** The same with the path of a new form. */
export const describeNewForm = (described: string, example: object) =>
  describeForm(described, example, { Location: 'Path of the form.' });

const version = {
  number: { type: 'integer', minimum: 1 },
  created_at: timestamp,
  published_at: { ...nullableTimestamp, description: 'When it was published first; null if it never was.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const versionListSchema = dataSchema({
  type: 'array',
  items: { type: 'object', required: Object.keys(version), properties: version },
} as const);

const versionMembers = { ...version, title: text, description: nullableText, fields } as const;

export const versionResponseSchema = dataSchema({
  type: 'object',
  required: Object.keys(versionMembers),
  properties: versionMembers,
} as const);

const id = { type: 'string', minLength: 1, maxLength: 255 } as const;
const formId = {
  ...id,
  description: 'Id of a form.',
  examples: ['01938c5e-7a01-7c1d-8e2f-3a5b7c9d0e1f'],
} as const;
const number = { ...id, description: 'Number of a version.', examples: ['1'] } as const;

export const formIdSchema = { type: 'object', required: ['id'], properties: { id: formId } } as const;
export const versionIdSchema = {
  type: 'object',
  required: ['id', 'number'],
  properties: { id: formId, number },
} as const;
export const submissionIdSchema = {
  type: 'object',
  required: ['id', 'submission_id'],
  properties: {
    id: formId,
    submission_id: { ...id, description: 'Id of a submission.', examples: formId.examples },
  },
} as const;
