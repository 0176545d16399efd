/** Responses with forms, their schemas, and those of the parameters of their paths. */
import type { FastifyReply } from 'fastify';
import type { CreatedResponse } from '../../idempotency/stored-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import {
  dataSchema,
  nullableText,
  nullableTimestamp,
  recordSchema,
  text,
  timestamp,
  uuid,
} from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../lib/time.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import type { FormWithDraft } from './change-form.ts';
import type { Definition } from './definitions/definition.ts';
import { fields, settings } from './form-schemas.ts';
import type { FormRow, VersionRow } from './queries.ts';

/** Returns a form without its definition. */
export function settingsView(form: FormRow) {
  const times = ['opens_at', 'closes_at', 'created_at', 'updated_at'] as const;
  return {
    ...formatTimes(form, times),
    once: form.once === 1,
    allowed_origins: JSON.parse(form.allowed_origins),
    thanks: JSON.parse(form.thanks ?? 'null'),
    notify: JSON.parse(form.notify ?? 'null'),
  };
}

export const formView = (form: FormRow, definition: Definition) => ({ ...settingsView(form), ...definition });

/** Returns a form as those without the scope `forms:read` see it, with its published version. */
export function publicFormView(form: FormRow, definition: Definition) {
  const view = formView(form, definition);
  return Object.fromEntries(PUBLIC_MEMBERS.map((name) => [name, view[name]]));
}

export function sendForm(reply: FastifyReply, { form, definition }: FormWithDraft): FastifyReply {
  const body = { message: `Form ${form.id}`, data: formView(form, definition) };
  return reply.header('etag', versionETag(form.revision)).send(body);
}

export function createdFormResponse({ form, definition }: FormWithDraft): CreatedResponse {
  return {
    status: 201,
    headers: { location: `/api/v1/forms/${form.id}`, etag: versionETag(form.revision) },
    body: { message: `Form ${form.id}`, data: formView(form, definition) },
    createdResources: {},
  };
}

/** Returns a version without its definition. */
export function versionView({ number, created_at, published_at }: Omit<VersionRow, 'definition'>) {
  return formatTimes({ number, created_at, published_at }, ['created_at', 'published_at']);
}

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

const PUBLIC_MEMBERS = [
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
