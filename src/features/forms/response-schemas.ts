/** Schemas of forms in responses, and of the parameters of their paths. */
import {
  dataSchema,
  type JsonSchema,
  nullableText,
  nullableTimestamp,
  recordSchema,
  text,
  timestamp,
  uuid,
} from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { fields, settings } from './form-schemas.ts';

export const MAX_COUNTED = 10_000;
/** In a list of forms, each of which is counted. */
export const MAX_COUNTED_OF_LIST = 1_000;

const number = { type: 'integer', minimum: 1 } as const;
const count = { type: 'integer' } as const;

const listed = {
  id: uuid,
  title: text,
  state: { type: 'string', enum: ['draft', 'published', 'closed'] },
  published_version: { type: ['integer', 'null'], description: 'Number of the version that is answered.' },
  ...settings,
  draft_version: number,
  created_at: timestamp,
  updated_at: timestamp,
  revision: { ...number, description: 'The number in the ETag.' },
  submissions: {
    ...recordSchema({ accepted: count, held: count }),
    description: 'Numbers of submissions; counted up to 10,000 each, in lists up to 1,000.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const PUBLIC_MEMBERS = [
  ...(['id', 'title', 'description', 'fields', 'state', 'published_version'] as const),
  ...(['access', 'once', 'opens_at', 'closes_at', 'thanks'] as const),
] as const;

export const formSchema = {
  $id: 'Form',
  type: 'object',
  required: PUBLIC_MEMBERS,
  properties: {
    ...listed,
    description: nullableText,
    fields: {
      ...fields,
      description: 'Of the draft; for others than administrators, of the published version.',
    },
  },
  description: 'Anonymous callers and users get the members that are required.',
} as const satisfies JsonSchema;

export const listedFormSchema = recordSchema(listed);

/** Returns the description of a response with a form. */
export function describeForm(description: string, form: object, headers: Record<string, string> = {}) {
  return describeResponse(dataSchema({ $ref: 'Form' }), {
    description,
    headers: { ETag: 'Revision of the form.', ...headers },
    examples: { form },
  });
}

/** The same with the path of a new form. */
export const describeNewForm = (description: string, form: object) =>
  describeForm(description, form, { Location: 'Path of the form.' });

const version = {
  number,
  created_at: timestamp,
  published_at: { ...nullableTimestamp, description: 'When it was published first; null if it never was.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const versionListSchema = dataSchema({ type: 'array', items: recordSchema(version) } as const);
export const versionResponseSchema = dataSchema(
  recordSchema({ ...version, title: text, description: nullableText, fields }),
);

const id = 'Id of a form.';
export const formIdSchema = idParameters({ id });
export const submissionIdSchema = idParameters({ id, submission_id: 'Id of a submission.' });
export const versionIdSchema = {
  ...formIdSchema,
  required: ['id', 'number'],
  properties: {
    ...formIdSchema.properties,
    number: { ...formIdSchema.properties.id, description: 'Number of a version.', examples: ['1'] },
  },
} as const;
