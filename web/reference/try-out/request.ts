/** The HTTP request of a draft. */
import { basePath } from '../../common/api.ts';
import type { Operation } from '../description/operations.ts';
import { type Draft, type Field, type Form, toKey } from './draft.ts';

export interface HttpRequest {
  readonly method: string;
  /** Always of this origin. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** null: none. */
  readonly body: string | null;
}

/** Empty optional parameters and an empty body are left out. Required ones that are empty have their sample. */
export function toRequest({ method, path }: Operation, form: Form, draft: Draft): HttpRequest {
  const given = form.fields
    .map((field) => ({ ...field, value: draft.values[toKey(field)] || sampleIfRequired(field) }))
    .filter(({ value }) => value !== '');
  const values = (wanted: Field['place']) => given.filter(({ place }) => place === wanted);
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name) =>
    encoded(values('path').find((field) => field.name === name)?.value ?? `<${name}>`),
  );
  const query = values('query').map(({ name, value }) => `${encoded(name)}=${encoded(value)}`);
  const body = draft.body.trim() === '' ? null : draft.body;
  const bodyType = body === null ? null : form.bodyType;
  return {
    method,
    // As the browser sends it, so that the curl command has the same.
    url: new URL(basePath + filled + (query.length > 0 ? `?${query.join('&')}` : ''), location.origin).href,
    headers: [
      ...values('header').map(({ name, value }) => [name, value] as const),
      ...(bodyType === null ? [] : [['Content-Type', bodyType] as const]),
    ],
    body,
  };
}

function sampleIfRequired({ isRequired, sample }: Field): string {
  return isRequired ? sample : '';
}

/** Half of a surrogate pair cannot be encoded: it becomes U+FFFD, as in a form. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
