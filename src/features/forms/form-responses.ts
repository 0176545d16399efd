/** Responses with forms. */
import type { CreatedResponse } from '../../idempotency/created-response.ts';
import { versionETag } from '../../lib/routes/preconditions.ts';
import { formatTimestamp } from '../../lib/time/clock.ts';
import type { Definition } from './definitions/definition.ts';
import { parseDefinition } from './form-rules.ts';
import type { FormRow, VersionRow } from './queries.ts';

const toTimestamp = (time: number | null) => (time === null ? null : formatTimestamp(time));

/** Returns a form as those without the scope `forms:read` see it, with its published version. */
export function publicFormView(form: FormRow, { title, description, fields }: Definition) {
  const { id, state, published_version, access, once, opens_at, closes_at, thanks } = form;
  return {
    ...{ id, title, description, fields, state, published_version, access },
    once: once === 1,
    opens_at: toTimestamp(opens_at),
    closes_at: toTimestamp(closes_at),
    thanks: thanks === null ? null : JSON.parse(thanks),
  };
}

export function formView(form: FormRow, definition: Definition) {
  const { draft_version, max_submissions, retention_days, on_erasure, revision } = form;
  return {
    ...publicFormView(form, definition),
    ...{ draft_version, max_submissions, retention_days, on_erasure, revision },
    allowed_origins: JSON.parse(form.allowed_origins),
    created_at: formatTimestamp(form.created_at),
    updated_at: formatTimestamp(form.updated_at),
  };
}

/** Returns a form of the list: without its fields. */
export function listedFormView(form: FormRow) {
  return formView(form, { title: form.title, description: null, fields: [] });
}

export function createdFormResponse(form: FormRow, definition: Definition): CreatedResponse {
  return {
    status: 201,
    headers: { location: `/api/v1/forms/${form.id}`, etag: versionETag(form.revision) },
    body: { message: `Form ${form.id}`, data: formView(form, definition) },
    createdResources: {},
  };
}

export function listedVersionView({ number, created_at, published_at }: Omit<VersionRow, 'definition'>) {
  return { number, created_at: formatTimestamp(created_at), published_at: toTimestamp(published_at) };
}

export function versionView(version: VersionRow) {
  return { ...listedVersionView(version), ...parseDefinition(version) };
}
