/** Responses with forms. */
import type { FastifyReply } from 'fastify';
import type { CreatedResponse } from '../../idempotency/stored-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import { formatTimes } from '../../lib/time.ts';
import type { FormWithDraft } from './change-form.ts';
import type { Definition } from './definitions/definition.ts';
import type { FormRow, VersionRow } from './queries.ts';
import { PUBLIC_MEMBERS } from './response-schemas.ts';

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

export function formView(form: FormRow, definition: Definition) {
  return { ...settingsView(form), ...definition };
}

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
